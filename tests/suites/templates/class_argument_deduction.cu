//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)
template <class T> struct Box { T v; __device__ Box(T x) : v(x) {} __device__ T get() const { return v; } };
template <class T, class U> struct Pair { T a; U b; __device__ Pair(const T &x, const U &y) : a(x), b(y) {} };
template <class T, int N> struct Arr { T d[N]; __device__ Arr(const T (&x)[N]) { for (int i = 0; i < N; ++i) d[i] = x[i]; } };
template <class T> struct View { using value_type = T; using pointer = T *; pointer p; int n; __device__ View(pointer q, int m) : p(q), n(m) {} 
  __device__ value_type sum() const { T s{}; for (int i = 0; i < n; ++i) s += p[i]; return s; } };
template <class... Ts> struct Count { int n; __device__ Count(Ts...) : n(sizeof...(Ts)) {} };
template <class F> struct Guard { F f; __device__ explicit Guard(F g) : f(g) {} __device__ float operator()(float x) const { return f(x); } };
template <class T> struct Agg { T a; T b; };
template <class T> Agg(T, T) -> Agg<T>;
template <class T> struct Def { T v; template <class U> __device__ Def(U u) : v(T(u) + 1) {} };
template <class U> Def(U) -> Def<U *>;
Def(char) -> Def<double>;
template <class T = float> struct Dflt { T v; __device__ Dflt() : v(4) {} };
template <class T> struct It { T v; template <class I> __device__ It(I b, I e) : v(*b + *e) {} };
template <class I> It(I, I) -> It<float>;
extern "C" __global__ void test(float *out) {
  int i = threadIdx.x;
  Box b(2.5f); Box c{3}; Box d = 4.0; const Box e(b);
  Pair p(1, 2.0f); Pair q{b, c};
  float raw[3] = {1, 2, 3}; Arr a(raw);
  View v(raw, 3);
  Count n(1, 2.f, 'c'); Count z{};
  Guard g([=](float x) { return x * 2 + i; });
  Agg agg{1.0f, 2.0f};
  Def dd('a');
  Dflt df;
  It it(raw, raw + 1);
  float r = b.get() + c.get() + d.get() + e.get() + p.a + p.b + q.a.v + q.b.v + a.d[2] + v.sum() + n.n + z.n + g(3.f) + agg.a + agg.b + dd.v + df.v + it.v;
  r += Box(7).get() + Box{8.5}.get() + Pair(1, 2).b;
  r += sizeof(d.v) * 100 + sizeof(c) * 10 + sizeof(dd) + sizeof(it);
  auto *h = new Box(5.5f); r += h->v; delete h;
  out[i] += r;
}
