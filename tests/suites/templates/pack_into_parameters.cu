//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)
// Packs among the arguments of a template that has none.
template <class A, class B> struct Pr { A a; B b; };
template <class... T> __device__ Pr<T...> make(T... t) { return Pr<T...>{t...}; }
template <class... T> __device__ int count(Pr<T...> p) { return sizeof...(T) + p.a; }
template <class A, class... T> __device__ int more(Pr<A, T...> p) { return sizeof...(T) + p.a; }
extern "C" __global__ void test(float *out) { auto p = make(3, 2.5f); out[threadIdx.x] += p.a + p.b + count(p) + more(p) + make<int, int>(1, 2).b; }
