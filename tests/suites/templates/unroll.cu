// `#pragma unroll` with a parameter, and loops whose bounds are parameters.
template <int N> __device__ int dot(const int *a, const int *b)
{
    int sum = 0;
#pragma unroll N
    for (int i = 0; i < 12; i++) sum += a[i] * b[i];
    return sum;
}
template <int N, class T> __device__ T horner(const T (&c)[N], T x)
{
    T result = c[N - 1];
#pragma unroll
    for (int i = N - 2; i >= 0; --i) result = result * x + c[i];
    return result;
}
template <int ROWS, int COLUMNS> __device__ int trace(const int (&m)[ROWS][COLUMNS])
{
    int sum = 0;
#pragma unroll (ROWS / 2)
    for (int i = 0; i < ROWS; i++) {
#pragma unroll 1
        for (int j = 0; j < COLUMNS; j++) sum += i == j ? m[i][j] : 0;
    }
    return sum;
}

extern "C" __global__ void test(int *out)
{
    int a[12], b[12];
    for (int i = 0; i < 12; i++) a[i] = i, b[i] = 12 - i;
    const int c[4] = {1, 2, 3, 4};
    const float f[3] = {0.5f, 1.0f, 2.0f};
    const int m[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
    out[0] = dot<1>(a, b);
    out[1] = dot<4>(a, b);
    out[2] = horner(c, 3);
    out[3] = (int)(horner(f, 2.0f) * 10);
    out[4] = trace(m);
}
