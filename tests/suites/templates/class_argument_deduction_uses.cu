//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)
template <class... Fs> struct overload : Fs... { using Fs::operator()...; };
template <class... Fs> overload(Fs...) -> overload<Fs...>;
template <class T> struct Acc { T s; __device__ Acc(T x = T()) : s(x) {} template <class U> __device__ Acc &add(U u) { s += u; return *this; } };
template <class F> struct defer { F f; __device__ ~defer() { f(); } };
template <class F> defer(F) -> defer<F>;
template <class T, int N = 4> struct Buf { T d[N]; int n; __device__ Buf(T v, int c = N) : n(c) { for (auto &x : d) x = v; } };
template <class T> struct Span { const T *p; int n; template <int N> __device__ constexpr Span(const T (&a)[N]) : p(a), n(N) {} __device__ const T *begin() const { return p; } __device__ const T *end() const { return p + n; } };
struct Fixed { template <class T> struct In { T t; __device__ In(T x) : t(x) {} }; };
template <class T> struct Outer { T v; __device__ Outer(T x) : v(x) {} __device__ Outer twice() const { return Outer(v * 2); } __device__ auto other() const { return Outer<int>(int(v)); } };
extern "C" __global__ void test(float *out) {
  int i = threadIdx.x;
  float side = 0;
  auto f = overload{[](int a) { return a + 1.f; }, [&](float a) { return a * 2 + i; }};
  {
    defer d{[&] { side += 3; }};
    side += 1;
  }
  Buf b(2.0f); Buf c(1, 2);
  int raw[] = {1, 2, 3, 4};
  int sum = 0;
  for (int x : Span(raw)) sum += x;
  if (Acc a(3.5f); a.add(1).s > 4) sum += a.s;
  for (Acc a(1); a.s < 4; a.add(1)) sum++;
  const auto &r = Acc(2.5);
  Outer o(1.5f);
  static __shared__ int sh;
  if (i == 0) sh = 5;
  __syncthreads();
  Acc fromShared(sh);
  out[i] += f(1) + f(2.0f) + side + b.d[3] + b.n + c.d[1] + c.n + sum + r.s + o.twice().v + o.other().v + fromShared.s;
}
