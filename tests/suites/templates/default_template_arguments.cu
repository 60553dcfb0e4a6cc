// Default arguments of templates, which may use the parameters before them.
template <class T = int> __device__ T zero() { return T(T(0) - 1); }
template <int N = 4> __device__ int width() { return N; }
template <class T, class Sum = T> __device__ Sum sum(const T *a, int n)
{
    Sum sum = 0;
    for (int i = 0; i < n; i++) sum += a[i];
    return sum;
}
template <int N, int M = N * N> __device__ int square() { return M; }
template <class T, int BYTES = sizeof(T)> __device__ int bytes(T) { return BYTES; }
template <class T = unsigned char, T V = 200> __device__ int last() { return T(V + 1); }

extern "C" __global__ void test(int *out)
{
    const unsigned char a[3] = {200, 100, 50};
    out[0] = zero();
    out[1] = zero<>();
    out[2] = zero<unsigned char>();
    out[3] = width();
    out[4] = width<>();
    out[5] = width<9>();
    out[6] = sum(a, 3);
    out[7] = sum<unsigned char, int>(a, 3);
    out[8] = square<5>();
    out[9] = square<5, 6>();
    out[10] = bytes(1.0);
    out[11] = bytes<short>(1);
    out[12] = last();
    out[13] = last<int, 7>();
}
