//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// Generic lambda expressions.
template <class F, class... A> __device__ auto call(F f, A... a) { return f(a...); }
template <class T> struct Box { T v; };
struct Obj {
    int n;
    __device__ int bump(int k) const { return n + k; }
    template <class F> __device__ float each(F f) const { return f(n) + f(n * 0.5f); }
    __device__ float run(float y) const { return each([=](auto x) { return x + y + n + bump(1); }); }
};
template <class T> __device__ T inTemplate(T t) {
    using U = Box<T>;
    U u{t};
    auto f = [&](auto a, T b) { U w{b}; return a + w.v + u.v; };
    return f(1, t) + f(0.5f, t);
}
__global__ void test(float *out) {
    int t = threadIdx.x;
    auto add = [](auto a, auto b) { return a + b; };
    const int k = 3;
    int m = 2;
    auto scale = [=](auto x) { return x * m + k; };
    auto acc = [&](const auto &x) mutable { m += x; return m; };
    auto sum = [](auto... xs) { return (xs + ... + 0); };
    auto fwd = [&](auto &&x) -> decltype(auto) { return call(scale, x); };
    out[t] = add(t, 2) + add(1.5f, t) + scale(t) + scale(2.5f);
    out[t + 32] = acc(1) + acc(2.0f) + m + sum(1, 2, t) + sum(0.5f, t);
    out[t + 64] = call(add, 1, 2.5f) + fwd(t) + call([](auto x) { return [=](auto y) { return x * y; }; }, 3)(t);
    out[t + 96] = Obj{t}.run(0.25f) + inTemplate(2.5f) + inTemplate(t);
    auto rec = [](auto self, int n) -> int { return n <= 1 ? 1 : n * self(self, n - 1); };
    out[t + 128] = rec(rec, t % 5) + [p = t + 1](auto x) { return p * x; }(2);
    int arr[3] = {1, 2, t};
    auto pick = [arr](auto i) { return arr[i]; };
    out[t + 160] = pick(2) + pick(1u);
}
