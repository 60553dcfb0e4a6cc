// Default arguments of functions, which may depend on the template's parameters.
template <class T> __device__ T sum(T a, T b = T(2), T c = 3) { return a + b + c; }
template <int N> __device__ int padded(int a, int n = N * 10) { return a + n; }
template <class T> __device__ int scaled(T a, int factor = sizeof(T)) { return (int)(a * factor); }
template <class T> __device__ T or_default(const T *p = nullptr) { return p ? *p : T(-1); }

extern "C" __global__ void test(int *out)
{
    short s = 3;
    out[0] = sum(1);
    out[1] = sum(1, 1);
    out[2] = sum(1, 1, 1);
    out[3] = (int)(sum(0.5f) * 10);
    out[4] = padded<4>(1);
    out[5] = padded<4>(1, 2);
    out[6] = scaled(s);
    out[7] = scaled(2.5);
    out[8] = or_default<int>();
    out[9] = or_default(&s);
}
