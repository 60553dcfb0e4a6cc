//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// Arguments of classes that are derived from instances.
template <class D> struct Expr { __device__ const D &self() const { return static_cast<const D &>(*this); } };
template <class T, int N> struct Arr : Expr<Arr<T, N>> { T v[N]; __device__ T operator[](int i) const { return v[i]; } };
template <class A, class B> struct Sum : Expr<Sum<A, B>> { const A &a; const B &b; __device__ Sum(const A &a, const B &b) : a(a), b(b) {} __device__ float operator[](int i) const { return a[i] + b[i]; } };
template <class A, class B> __device__ __noinline__ Sum<A, B> operator+(const Expr<A> &a, const Expr<B> &b) { return Sum<A, B>(a.self(), b.self()); }
template <class T> struct Base { T x; };
struct Derived : Base<int> { int y; };
template <class T> __device__ __noinline__ T get(const Base<T> &b) { return b.x; }
template <class T> __device__ __noinline__ T getp(const Base<T> *b) { return b->x + 1; }
template <class T> __device__ __noinline__ T byvalue(Base<T> b) { return b.x + 2; }
template <class T> __device__ __noinline__ int pick(T) { return 1; }
template <class T> __device__ __noinline__ int pick(Base<T> *) { return 2; }
extern "C" __global__ void test(float *out) {
    int t = threadIdx.x;
    Arr<float, 4> a, b;
    for (int i = 0; i < 4; i++) { a.v[i] = i * t; b.v[i] = i + 0.5f; }
    out[t] = (a + b)[2] + (a + b + a)[3];
    Derived d; d.x = t; d.y = 3;
    out[t + 32] = get(d) + getp(&d) + byvalue(d) + pick(&d) * 100;
}
