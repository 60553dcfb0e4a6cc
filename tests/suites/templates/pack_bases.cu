//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(0)
// Packs of base classes: bases, their initializers, `using` of what they have.
template <class... Fs> struct overload : Fs... { using Fs::operator()...; };
template <class... Fs> __device__ overload<Fs...> make(Fs... fs) { return overload<Fs...>{fs...}; }
template <class... Bs> struct Mix : Bs... { __device__ Mix(Bs... bs) : Bs(bs.get())... {} };
template <class... Bs> struct Sum : public Bs... {
    int k;
    __device__ Sum(int v) : Bs(v)..., k(v) {}
    __device__ int all() { return (Bs::get() + ...) + k; }
};
struct X { int x; __device__ X(int v) : x(v) {} __device__ int get() { return x; } };
struct Y { int y; __device__ Y(int v) : y(v) {} __device__ int get() { return y + 1; } };
struct First { int p; };
struct Second { int q; };
template <class... T> struct Aggregate : T... { int z; };
template <class... T> struct None : T... { int n = 7; using T::operator()...; };
struct F1 { int k; __device__ int operator()(int a) const { return a + k; } };
struct F2 { __device__ int operator()(float) const { return 22; } };

__global__ void test(float *out)
{
    int k = 3;
    auto made = make([=](int x) { return x + 2 * k; }, [](const char *) { return 70; });
    overload<F1, F2> o{{4}, {}};
    Mix<X, Y> mix(X(4), Y(5));
    Aggregate<First, Second> aggregate{{1}, {2}, 3};
    None<> none;
    Sum<X, Y> sum(5);
    Mix<> empty;
    out[0] = o(3);
    out[1] = o(2.f);
    out[2] = made(1);
    out[3] = made("a");
    out[4] = mix.x * 10 + mix.y;
    out[5] = aggregate.p * 100 + aggregate.q * 10 + aggregate.z;
    out[6] = none.n;
    out[7] = sum.all();
    out[8] = sizeof(empty) + sizeof(aggregate);
}
