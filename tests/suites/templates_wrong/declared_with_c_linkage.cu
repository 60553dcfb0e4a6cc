// A template with C linkage.
// clang: 4:1
extern "C" {
template <class T> __device__ T twice(T a) { return a + a; }
}
__device__ int f(int i) { return twice(i); }
