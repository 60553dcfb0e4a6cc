// Launches in function templates of the host: for each instance that something calls, takes the address of, or instantiates explicitly.
// unknown: 31
// unknown: 38
// unknown: 41
// not made: _Z1bIdLi81EEvPT_
// not made: _Z1bIdLi82EEvPT_
// not made: _Z1bIiLi83EEvPT_
#include <vector>
template <typename T> __global__ void k(T *p) { *p = T{}; }
template <typename T, int N> __global__ void b(T *p) { *p = T{}; }
template <int N> __global__ void red(float *p) { *p = N; }
template <typename T> void forward(T *p, int n);
template <typename T> void run(T *p) { k<T><<<1, 1>>>(p); k<<<1, 1>>>(&p); k<float><<<1, 1>>>(nullptr); }
template <typename T, int N = 3> void sized(T *p)
{
    b<T, N><<<1, N>>>(p);
    if constexpr (N == 3) b<T, 100><<<1, 1>>>(p);
    else b<T, 200><<<1, 1>>>(p);
}
template <int BLOCK> void launch(float *p)
{
    red<BLOCK><<<1, BLOCK>>>(p);
    constexpr int HALF = BLOCK / 2;
    red<HALF><<<1, 1>>>(p);
}
template <typename T> void outer(T *p, int n) { sized<T, 7>(p); run(p); launch<sizeof(T) * 100>(nullptr); }
template <typename T> void with_vector(std::vector<T> &v, T *d) { b<T, 50><<<1, 1>>>(d); }
template <typename T> void only_vector(const std::vector<T> &v) { T *d; cudaMalloc(&d, 10); b<T, 51><<<1, 1>>>(d); }
template <typename... T> void pack(T *...p)
{
    (b<T, 81><<<1, 1>>>(p), ...);
}
namespace ns {
template <typename T> void inner(T *p) { b<T, 60><<<1, 1>>>(p); }
}
template <typename T> struct Box {
    T *p;
    void go() { b<T, 82><<<1, 1>>>(p); }
};
struct Members {
    template <typename T> void go(T *p) { b<T, 83><<<1, 1>>>(p); }
};
template <typename T> void over(T *p) { b<T, 70><<<1, 1>>>(p); }
template <typename T> void over(T **p) { b<T *, 71><<<1, 1>>>(p); }
template <typename T> void uncalled(T *p) { b<T, 80><<<1, 1>>>(p); b<int, 80><<<1, 1>>>(0); run<T *>(&p); }
template <typename T> void inst(T *p, int) { b<T, 90><<<1, 1>>>(p); }
template void inst<float>(float *, int);
template void inst(double *, int n);
template <typename T> void spec(T *p) { b<T, 91><<<1, 1>>>(p); }
template <> void spec<float>(float *p) { b<float, 92><<<1, 1>>>(p); }
template <int N> void down(float *p)
{
    red<N><<<1, 1>>>(p);
    if constexpr (N > 2000) down<N - 1>(p);
}
template <typename T, typename F> void apply(T *p, F f) { f<<<1, 1>>>(p); }
template <typename T> void by_address(T *p) { b<T, 93><<<1, 1>>>(p); }
template <typename T> void by_default(T *p, T by = T(1)) { b<T, 94><<<1, 1>>>(p); }
int main()
{
    float *d;
    double *e;
    short *s;
    auto generic = [](auto *p) { b<short, 84><<<1, 1>>>(p); };
    generic(s);
    std::vector<char> h(3);
    run<float>(d), run(e);
    sized(d), sized<double>(e);
    launch<32>(d), launch<64>(d);
    outer(s, 3), outer<long>(nullptr, 1);
    char *dc;
    with_vector(h, dc);
    only_vector<unsigned>(std::vector<unsigned>());
    ns::inner(d);
    using namespace ns;
    inner(e);
    over(d), over(&d);
    spec(d), spec(e);
    down<2003>(d);
    apply(d, b<float, 95>);
    void (*pointer)(int *) = &by_address<int>;
    by_default(d);
    pack(e);
    Box<double> box{e};
    box.go();
    Members().go((int *)nullptr);
    forward(s, 3);
}
template <typename T> void forward(T *p, int n) { b<T, 96><<<1, n>>>(p); }
