//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// Constructors that are templates, packs, functors; definitions of member templates outside of their classes.
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <class T> struct is_int { static const bool value = false; };
template <> struct is_int<int> { static const bool value = true; };
struct Any {
    float v; int kind;
    template <class T, typename enable_if<is_int<T>::value, int>::type = 0> __device__ Any(T x) : v(x), kind(1) {}
    template <class T, typename enable_if<!is_int<T>::value, int>::type = 0> __device__ explicit Any(T x) : v(x), kind(2) {}
    template <class A, class B> __device__ Any(A a, B b = 3) : v(a + b), kind(3) {}
};
template <class T, int N> struct Arr {
    T d[N];
    __device__ Arr() {}
    template <class A0, class... A> __device__ Arr(A0 a0, A... a) : d{static_cast<T>(a0), static_cast<T>(a)...} {}
    template <int M> __device__ Arr<T, M> head() const { Arr<T, M> r; for (int i = 0; i < M; i++) r.d[i] = d[i]; return r; }
    template <class F> __device__ void each(F &&f) { for (int i = 0; i < N; i++) f(d[i], i); }
    template <class U = T> __device__ U get(int i, U plus = U(1)) const { return d[i] + plus; }
    __device__ T total() const { return fold(0, [](T a, T b) { return a + b; }); }
    template <class F> __device__ T fold(T init, F f) const { T s = init; for (int i = 0; i < N; i++) s = f(s, d[i]); return s; }
};
struct Visitor {
    float *out;
    template <class T> __device__ void operator()(T x, int i) const { out[i] += x; }
    template <class T> __device__ bool operator<(const T &x) const { return out[0] < x; }
    template <class T> __device__ float operator[](T i) const { return out[(int)i]; }
};
class Outer {
    int n;
public:
    __device__ Outer(int n) : n(n) {}
    struct Inner {
        int m;
        template <class T> __device__ T mul(T x) { return x * m; }
        template <class T> static __device__ T neg(T x) { return -x; }
    };
    template <class T> __device__ T use(T x) { Inner i{n}; return i.mul(x) + Inner::neg(x); }
private:
    template <class T> __device__ T secret(T x) { return x + n; }
public:
    template <class T> __device__ T open(T x) { return secret(x); }
};
namespace ns { struct P { int a; template <class T> __device__ T up(T x) const; }; 
template <class T> __device__ T P::up(T x) const { return x + a; } }
template <class T> struct Q { T a; template <class U> __device__ Q(U u); template <class U> __device__ U up(U x) const; template <class U> static __device__ int st(U x); };
template <class T> template <class U> __device__ Q<T>::Q(U u) : a(u + 1) {}
template <class T> template <class V> __device__ V Q<T>::up(V x) const { return x + a; }
template <class T> template <class U> __device__ int Q<T>::st(U x) { return sizeof(T) + sizeof(U); }
__global__ void test(float *out) {
    int t = threadIdx.x;
    Any a = 3; Any b(2.5f); Any c(t, 2);
    out[t] = a.v + a.kind * 10 + b.v + b.kind * 100 + c.v + c.kind * 1000;
    Arr<float, 4> arr(t, 2, 3.5, 4);
    out[t + 32] = arr.head<2>().d[1] + arr.get(1) + arr.template get<int>(2, 5) + arr.total();
    float s[4] = {0, 0, 0, 0};
    Visitor v{s};
    arr.each(v);
    arr.each([&](float &x, int i) { x *= i; });
    out[t + 64] = s[0] + s[3] * 2 + arr.d[3] + (v < 5) + v[1.5f];
    Outer o(t);
    out[t + 96] = o.use(2) + o.use(1.5f) + o.open(3);
    ns::P p{t};
    Q<int> q(2.5f);
    out[t + 128] = p.up(1.5f) + q.up(2) + q.up(1.5) + Q<double>::st(1.f) + q.a;
}
