//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)
// Packs that lambdas capture: by name, by default, by reference; in generic lambdas, and in lambdas within these.
template <class... T> __device__ float f1(T... xs) { auto l = [xs...](float k) { return (0.f + ... + (xs * k)); }; return l(2); }
template <class... T> __device__ float f2(T... xs) { auto l = [=](float k) { return (0.f + ... + (xs * k)); }; return l(2); }
template <class... T> __device__ float f3(T... xs) { auto l = [&](float k) { ((xs += k), ...); return (0.f + ... + xs); }; return l(2); }
template <class... T> __device__ float f4(T... xs) { auto l = [&xs...](float k) { ((xs += k), ...); return (0.f + ... + xs); }; return l(2); }
__device__ float plain() { return f1(1, 2.f) + f2(1, 2.5f) + f3(1.f, 2.f) + f4(1.f, 3.f); }
template <class F, class... T> __device__ auto bind(F f, T... xs) { return [=](auto... ys) { return f(xs..., ys...); }; }
template <class F, class... T> __device__ auto bind2(F f, T... xs) { return [f, xs...](auto &&...ys) { return f(ys..., xs...); }; }
template <class... T> __device__ float each(T... xs) { float s = 0; auto g = [&](auto k) { ((xs += k), ...); s += (0.f + ... + xs); }; g(1); g(2.5f); return s + (0.f + ... + xs); }
template <class... T> __device__ float outer(T... xs) { auto g = [=](auto k) { auto h = [=](float m) { return (0.f + ... + (xs * k * m)); }; return h(2.f); }; return g(3); }
template <class... T> __device__ float none(T... xs) { auto g = [](auto k) { return k + 1; }; int sum = (0 + ... + xs); return g(sum) + sizeof...(xs); }
template <class... T> __device__ float byref(T... xs) { auto g = [&xs...](auto k) { ((xs = k), ...); }; g(4); return (0.f + ... + xs); }
template <class... T> __device__ float mixed(int a, T... xs) { auto g = [=, &a](auto k) { a += k; return (0.f + ... + xs) + a; }; return g(2) + a; }
extern "C" __global__ void test(float *out) {
  auto sub = [](float a, float b) { return a - b; };
  out[threadIdx.x] += bind(sub, 5.f)(2.f) + bind2(sub, 5.f)(2.f) * 10 + bind(sub, 1, 2)() + each(1.f, 2.f) + outer(1, 2) + none(1, 2) + plain() + byref(1, 2.f) + mixed(1, 2.f, 3) + sizeof(bind(sub, 1, 2.0));
}
