// Specializations for values, which end a recursion; one declared before it is defined.
template <int N> __device__ int fibonacci() { return fibonacci<N - 1>() + fibonacci<N - 2>(); }
template <> __device__ int fibonacci<0>() { return 0; }
template <> __device__ int fibonacci<1>() { return 1; }
enum class Op { add, sub, mul };
template <Op> __device__ int apply(int a, int b);
template <> __device__ int apply<Op::add>(int a, int b) { return a + b; }
template <> __device__ int apply<Op::sub>(int a, int b) { return a - b; }
template <class T, int N> __device__ int mixed() { return 1; }
template <> __device__ int mixed<float, 4>() { return 2; }
template <> __device__ int mixed<float, -4>();

extern "C" __global__ void test(int *out)
{
    out[0] = fibonacci<9>();
    out[1] = apply<Op::add>(5, 3);
    out[2] = apply<Op::sub>(5, 3);
    out[3] = mixed<float, 4>();
    out[4] = mixed<float, 3>();
    out[5] = mixed<int, 4>();
    out[6] = mixed<float, -4>();
}

template <> __device__ int mixed<float, -4>() { return 3; }
