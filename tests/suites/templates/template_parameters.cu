//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)
// Parameters that are templates: class and alias templates as arguments, deduction, defaults, partial specializations.
template <class T> struct Box { T v; };
template <class... T> struct Many { int n; };
template <class T, class A = int> struct Two { T v; A a; };
template <class T, int N> struct Arr { T d[N]; };
namespace ns { template <class T> struct In { T v; }; template <class T> using Ptr = T *; }
template <template <class> class C> __device__ int one() { return sizeof(C<char>); }
template <template <class...> class C> __device__ int var() { return sizeof(C<int>); }
template <template <class, int> class C> __device__ int withn() { return sizeof(C<char, 5>); }
template <template <class> class C, class T> __device__ T get(const C<T> &c) { return c.v; }
template <template <class...> class C, class T> __device__ T getv(const C<T> &c) { return sizeof(c); }
template <template <class...> class C, class... T> __device__ int getvs(const C<T...> &c) { return sizeof...(T); }
template <template <class, int> class C, class T, int N> __device__ int len(const C<T, N> &c) { return N; }
template <class X> struct Is { static constexpr int value = 0; };
template <template <class...> class C, class... T> struct Is<C<T...>> { static constexpr int value = sizeof...(T); };
template <template <class> class C = Box> struct Holder { C<int> c; template <class T> __device__ C<T> make(T t) { return C<T>{t}; } };
template <template <class> class F, class T> using apply_t = F<T>;
template <class T, template <class> class C> struct Rebind { using type = C<T>; };
extern "C" __global__ void test(float *outf) { float out[4];
  Box<int> b{3}; Many<int, float> m{1}; Arr<short, 7> a{}; ns::In<float> i{2.f};
  Holder<> h{}; Holder<ns::In> h2{};
  out[0] = one<Box>() + one<ns::In>() + var<Many>() + var<Box>() + withn<Arr>() + get(b) + get(i) + getvs(m) + getvs(b) + len(a);
  out[1] = Is<int>::value + Is<Many<int, int, int>>::value + Is<Box<int>>::value + h.make(3.f).v + h2.make(4).v + sizeof(h2);
  apply_t<Box, long> al{5}; out[2] = al.v + sizeof(apply_t<ns::Ptr, int>) + sizeof(Rebind<double, Box>::type);
  out[3] = one<Box>() + get<Box, int>(b) + get<Box>(b) + getv(b);
  outf[threadIdx.x] += out[0] + out[1] * 100 + out[2] * 10000 + out[3];
}
