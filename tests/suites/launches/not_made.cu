// What makes no instance: operands of `sizeof` and `decltype`, templates that nothing calls, branches of `if constexpr` that are not taken,
// names that something else hides, kernels that are not defined here.
// unknown: 42
// not made: _Z1aIiEvPT_
template <typename T> __global__ void a(T *p) { *p = 1; }
template <typename T> __global__ void b(T *p) { *p = 1; }
template <typename T> __global__ void declared(T *p);
__global__ void plain(float *p) { *p = 1; }

template <typename T> void uncalled(T *p)
{
    a<float><<<1, 1>>>(nullptr);
    a<T><<<1, 1>>>(p);
    a<<<1, 1>>>(p);
}
template <typename T> struct Box {
    void run(T *p) { a<T><<<1, 1>>>(p); a<short><<<1, 1>>>(nullptr); }
};
void unevaluated()
{
    decltype(a<float>) *pointer = nullptr;
    (void)sizeof(decltype(&a<double>)), (void)noexcept(b<int>), (void)pointer;
}
void branches(float *p)
{
    if constexpr (sizeof(int) == 8) a<long><<<1, 1>>>(nullptr);
    else b<long><<<1, 1>>>(nullptr);
    if constexpr (sizeof(int) == 4) { a<char><<<1, 1>>>(nullptr); }
    else if constexpr (true) b<char><<<1, 1>>>(nullptr);
    plain<<<1, 1>>>(p);
}
struct Member { int a, b; void (*call)(float *); };
int hidden(Member m, int a, Member *n)
{
    int b = 3;
    return a < b > (0) + m.a + n->b + (a < 4);
}
void not_defined(float *p) { declared<<<1, 1>>>(p); }
int *of_host();
void unknown()
{
    a<<<1, 1>>>(of_host());
}
