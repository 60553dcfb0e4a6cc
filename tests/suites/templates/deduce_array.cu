// Deduction of an element type and of lengths from references to arrays, and from pointers to arrays.
template <class T, int N> __device__ int length(T (&)[N]) { return N; }
template <class T, size_t N> __device__ T sum(const T (&a)[N])
{
    T sum = 0;
    for (size_t i = 0; i < N; i++) sum += a[i];
    return sum;
}
template <class T, int R, int C> __device__ int shape(T (&)[R][C]) { return R * 100 + C; }
template <class T, int N> __device__ void fill(T (&a)[N], T value)
{
    for (T &x : a) x = value;
}
template <class T, int N> __device__ int columns(T (*)[N]) { return N; }
template <int N> __device__ int length_of_text(const char (&)[N]) { return N; }
template <class T> __device__ int row_size(T (&)[4]) { return (int)sizeof(T); }

extern "C" __global__ void test(int *out)
{
    int a[5] = {1, 2, 3, 4, 5};
    const float f[3] = {0.5f, 1.5f, 2.5f};
    short m[2][7];
    double d[4];
    __shared__ int shared[6];
    fill(m[0], (short)3);
    fill(d, 2.25);
    out[0] = length(a);
    out[1] = sum(a);
    out[2] = length(f);
    out[3] = (int)(sum(f) * 10);
    out[4] = shape(m);
    out[5] = sum(m[0]);
    out[6] = columns(m);
    out[7] = length_of_text("four");
    out[8] = row_size(d);
    out[9] = (int)(sum(d) * 100);
    out[10] = length(shared);
    out[11] = length(m);
}
