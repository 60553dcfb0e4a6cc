// Each instance needs another one.
// clang: 5:20
template <int N> __device__ int count(int a)
{
    return a > N ? count<N + 1>(a) : N;
}
__device__ int f(int i) { return count<0>(i); }
