// Templates in blocks `extern "C++"`, and instances called by functions of C.
extern "C" {
__device__ int c_function(int a) { return a + 1; }
extern "C++" {
template <class T> __device__ T twice(T a) { return a + a; }
}
extern "C++" template <int N> __device__ int level() { return N; }
__device__ int caller(int a) { return twice(a) + level<3>(); }
}
extern "C++" {
template <class T> __device__ T thrice(T a) { return c_function(a) * 3; }
namespace n { template <class T> __device__ T same(T a) { return a; } }
}

extern "C" __global__ void test(int *out)
{
    out[0] = twice(5);
    out[1] = level<8>();
    out[2] = caller(4);
    out[3] = thrice(2);
    out[4] = n::same(9);
}
