// Two arrays give different lengths.
// clang: 7:5
template <int N> __device__ void copy(int (&to)[N], const int (&from)[N]) { to[0] = from[0]; }
__device__ int f()
{
    int a[3], b[4] = {};
    copy(a, b);
    return a[0];
}
