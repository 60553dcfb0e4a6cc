//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)
// The same passed on: policies, rebinding, equal templates, members, overloads, values of such templates.
template <class T> struct Add { __device__ static T op(T a, T b) { return a + b; } static constexpr int id = 1; };
template <class T> struct Mul { __device__ static T op(T a, T b) { return a * b; } static constexpr int id = 2; };
template <template <class> class Op, class T> __device__ T fold(const T *p, int n) { T r = p[0]; for (int i = 1; i < n; ++i) r = Op<T>::op(r, p[i]); return r; }
template <template <class> class Op> __global__ void kern(float *o) { o[threadIdx.x] = Op<float>::op(o[threadIdx.x], 3.f); }
template <template <typename> typename Op, class T> struct Policy { using type = Op<T>; static constexpr int id = Op<T>::id; };
template <template <class> class Op, class T> struct Policy2 { using op = Op<T>; __device__ T run(T a, T b) const { return op::op(a, b); } template <template <class> class Other> using rebind = Policy2<Other, T>; };
template <class P> struct Swap;
template <template <class> class Op, class T> struct Swap<Policy2<Op, T>> { using type = Policy2<Op, T *>; template <class U> using with = Policy2<Op, U>; };
template <template <class> class A, template <class> class B> struct Same { static constexpr bool value = false; };
template <template <class> class A> struct Same<A, A> { static constexpr bool value = true; };
struct Outer { template <class T> struct In { T v; __device__ static T op(T a, T b) { return a - b; } }; };
template <class T> struct Self { template <template <class> class C> static __device__ int n() { return sizeof(C<T>); } static __device__ int own() { return n<Self>() + n<Add>(); } T t[3]; };
template <template <class> class C, class T> __device__ int pick(C<T> *) { return 1; }
template <class T> __device__ int pick(Add<T> *) { return 2; }
template <class T> __device__ int pick(T *) { return 3; }
template <template <class, class> class C, class A, class B> __device__ B second(C<A, B> c) { return c.b; }
template <class A, class B> struct Pr { A a; B b; };
template <class T> using Add2 = Add<T>;
template <template <class> class, class T = int> struct Unnamed { T v; };
template <template <class...> class C> struct Maker { template <class... T> static __device__ C<T...> make(T... t) { return C<T...>{t...}; } };
template <template <int> class C> struct Nums { C<3> c; };
template <int N> struct Num { static constexpr int n = N; int v[N]; };
template <template <auto> class C> __device__ int autos() { return sizeof(C<3>); }
template <auto V> struct Av { decltype(V) v; };
extern "C" __global__ void test(float *out) {
  float v[3] = {2, 3, 4};
  Policy2<Add, float> p; Swap<Policy2<Mul, float>>::with<int> s; Policy2<Add, int>::rebind<Mul> rb;
  float r = fold<Add>(v, 3) + fold<Mul>(v, 3) + fold<Outer::In>(v, 3) + fold<Add2>(v, 2);
  r += Policy<Mul, int>::id + p.run(1, 2) + s.run(3, 4) + rb.run(5, 6) + Same<Add, Add>::value + Same<Add, Mul>::value * 10 + Same<Add, Add2>::value * 100;
  Add<int> a; Mul<int> m; r += pick(&a) + pick(&m) * 10 + pick(&r) * 100;
  r += second(Pr<int, float>{1, 2.5f}) + Self<double>::own() + Unnamed<Add>{4}.v + Maker<Pr>::make(1, 2.f).b + sizeof(Nums<Num>) + autos<Av>();
  out[threadIdx.x] += r;
}
