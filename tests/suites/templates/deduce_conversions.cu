// Parameters that deduce nothing convert their arguments, and so do those whose parameter is explicit.
struct Pair { int a, b; };
template <class T> __device__ T mixed(T a, double factor) { return (T)(a * factor); }
template <class T> __device__ T both(T a, T b) { return a + b; }
template <class T> __device__ int is_null(T *p, const void *q) { return (p == nullptr) * 2 + (q == nullptr); }
template <class T> __device__ T nth(const T *p, long n) { return p[n]; }
template <class T> __device__ int member(T a, Pair p) { return a + p.b; }

extern "C" __global__ void test(int *out)
{
    int a[2] = {1, 2};
    out[0] = mixed(7, 1.5f);
    out[1] = mixed((short)5, 3);
    out[2] = (int)(both<float>(1, 2.5) * 10);
    out[3] = both<int>(1.9f, true);
    out[4] = both<unsigned char>(200, 100);
    out[5] = is_null<int>(0, a);
    out[6] = is_null(a, nullptr);
    out[7] = nth(a, 1u);
    out[8] = nth<int>(a, 'a' - 'a');
    out[9] = member(1, {2, 3});
}
