//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(0)
// Packs of parameters with the name of the member or the base class that they initialize.
template <typename... E> struct Operands { __device__ int sum() const { return 0; } };
template <typename First, typename... Rest> struct Operands<First, Rest...> {
    First first;
    Operands<Rest...> rest;
    __device__ Operands(First first, Rest... rest) : first(first), rest{rest...} {}
    __device__ int sum() const { return first + 10 * rest.sum(); }
};
struct Base { int n; template <typename... T> __device__ Base(T... x) : n(sizeof...(x)) {} };
struct Derived : Base { template <typename... T> __device__ Derived(T... Base) : Base(Base...) {} };
extern "C" __global__ void test(float *out)
{
    out[0] = Operands<int, short, char>(1, 2, 3).sum();
    out[1] = Derived(1, 2, 3, 4).n;
}
