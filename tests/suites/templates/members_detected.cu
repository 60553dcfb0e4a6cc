//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// Questions that member templates answer: which members a type has; templates of types and constants as members.
struct true_type { static const bool value = true; };
struct false_type { static const bool value = false; };
template <class T> struct has_size {
    template <class U> static __device__ true_type test(decltype(&U::size));
    template <class U> static __device__ false_type test(...);
    static const bool value = decltype(test<T>(0))::value;
    typedef decltype(test<T>(0)) type;
};
template <class T> struct has_x {
    template <class U> static char test(decltype(((U *)0)->x) *);
    template <class U> static int test(...);
    static const bool value = sizeof(test<T>(nullptr)) == sizeof(char);
};
struct A { int x; };
struct B { __device__ int size() const { return 3; } };
template <class T> struct Alloc {
    template <class U> struct rebind { typedef Alloc<U> other; };
    template <class U> using ptr = U *;
    template <int N> struct block { T d[N]; __device__ int n() const { return N * sizeof(T); } };
};
struct Conf {
    template <class T> static constexpr int width = sizeof(T) * 2;
    template <class T, int N> struct Tile { T v[N]; };
};
__global__ void test(float *out) {
    int t = threadIdx.x;
    out[t] = has_size<A>::value + has_size<B>::value * 2 + has_x<A>::value * 4 + has_x<B>::value * 8;
    typename Alloc<int>::template rebind<double>::other al;
    Alloc<float>::ptr<float> p = out;
    Alloc<short>::block<5> b;
    Conf::Tile<float, 3> tile = {{1, 2, 3}};
    p[t + 32] = sizeof(al) + b.n() + Conf::width<double> + tile.v[2];
}
