//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// Templates that are members of classes and of class templates.
struct Acc {
    float v;
    __device__ Acc(float v) : v(v) {}
    template <class T> __device__ void add(T x) { v += x; }
    template <class T, int N> __device__ T sum(const T (&a)[N]) const { T s = 0; for (int i = 0; i < N; i++) s += a[i]; return s + (T)v; }
    template <class F> __device__ float apply(F f) { return f(v); }
    template <class T> static __device__ T twice(T x) { return x * 2; }
    template <int N> __device__ float times() const { return v * N; }
    __device__ float both() { add(1); add(2.5f); return this->template times<3>() + times<2>(); }
    template <class T> __device__ Acc &operator+=(T x) { v += x; return *this; }
    template <class T> __device__ float operator()(T a, T b) const { return v + a * b; }
};
template <class T> struct Vec {
    T x, y;
    __device__ Vec(T x, T y) : x(x), y(y) {}
    template <class U> __device__ Vec(const Vec<U> &o) : x(o.x), y(o.y) {}
    template <class U> __device__ Vec<U> cast() const { return Vec<U>(x, y); }
    template <class U> __device__ auto dot(const Vec<U> &o) const -> decltype(T() * U()) { return x * o.x + y * o.y; }
    template <class U> __device__ Vec &operator=(const Vec<U> &o) { x = o.x; y = o.y; return *this; }
};
__device__ float take(Vec<float> v) { return v.x - v.y; }
__global__ void test(float *out) {
    int t = threadIdx.x;
    Acc a(t);
    a.add(3);
    a.add(0.5f);
    a.add<double>(1);
    int b[3] = {1, 2, t};
    out[t] = a.sum(b) + a.apply([](float x) { return x + 1; });
    out[t + 32] = Acc::twice(t) + Acc::twice<float>(t) + a.times<4>() + a.both();
    Vec<int> vi(t, 2);
    Vec<float> vf = vi;
    Vec<double> vd(1.5, 2.5);
    vf = vd;
    out[t + 64] = vf.x + vf.y + vi.cast<float>().x + vi.dot(vd) + take(vi);
    a += 2;
    a += 1.5;
    out[t + 96] = a(2, 3) + a(1.5f, 2.f);
}
