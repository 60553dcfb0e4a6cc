// The branch that is not taken is not instantiated.
enum class Op { add, mul, first_member };
struct Pair { int first, second; };
template <Op OP, class T> __device__ auto apply(T a, T b)
{
    if constexpr (OP == Op::add) return a + b;
    else if constexpr (OP == Op::mul) return a * b;
    else return a.first + b.first;
}
template <class T> __device__ int depth(T a)
{
    if constexpr (sizeof(T) == sizeof(void *)) return *a;
    else return a;
}
template <bool WIDE> __device__ int width()
{
    int n = 1;
    if constexpr (WIDE) n *= 64;
    if constexpr (!WIDE) {
        n *= 32;
    }
    return n;
}

extern "C" __global__ void test(int *out)
{
    int a = 3;
    Pair p = {10, 20}, q = {30, 40};
    out[0] = apply<Op::add>(3, 4);
    out[1] = apply<Op::mul>(3, 4);
    out[2] = apply<Op::first_member>(p, q);
    out[3] = depth(&a);
    out[4] = depth(a);
    out[5] = width<true>();
    out[6] = width<false>();
}
