// Members of class templates: types, constants, operators, default arguments, unions, nested structs; partial and explicit specializations.
template <typename T> struct Node { T value; Node *next; Node<T> *other; __device__ int count() const { return next ? 1 + next->count() : 1; } };
template <typename T> struct Box;
template <typename T> __device__ int peek(Box<T> *b);
template <typename T> struct Box {
    T v; using value_type = T;
    struct Inner { T w; __device__ T twice() const { return w * 2; } };
    Inner inner;
    enum Kind { A = 1, B = sizeof(T) };
    __device__ Box operator+(const Box &o) const { return Box{v + o.v, {inner.w}}; }
    __device__ T operator()(T a) const { return a + v; }
    __device__ T &operator[](int i) { return i ? inner.w : v; }
    __device__ value_type def(T a = T(3), int b = sizeof(T)) const { return a + b; }
    __device__ auto deduced() const { return v + 0.5f; }
    static constexpr __device__ int cube(int a) { return a * a * a; }
    static constexpr int N = 4 * sizeof(T);
};
template <typename T> __device__ int peek(Box<T> *b) { return b->v; }
template <typename T> __device__ Box<T> operator*(const Box<T> &a, T s) { return Box<T>{a.v * s, {a.inner.w}}; }
template <typename T> __device__ bool operator==(const Box<T> &a, const Box<T> &b) { return a.v == b.v; }
template <typename T, typename U = T, int N = sizeof(T)> struct D { T t; U u; char c[N]; };
template <typename T> struct Traits { static constexpr int id = 0; };
template <typename T> struct Traits<const T> { static constexpr int id = 1 + Traits<T>::id; };
template <typename T> struct Traits<T *> { static constexpr int id = 10 + Traits<T>::id; };
template <typename T, int N> struct Traits<T[N]> { static constexpr int id = 1000 * N + Traits<T>::id; };
template <> struct Traits<float> { static constexpr int id = 5; __device__ int f() const { return 3; } __device__ int g() const; };
__device__ int Traits<float>::g() const { return 4 + f(); }
template <typename R, typename A> struct Traits<R (A)> { typedef R result; static constexpr int id = 77; };
template <typename T> union Bits { T value; unsigned char bytes[sizeof(T)]; };
template <typename T> class Priv { T hidden; public: __device__ void set(T a) { hidden = a; } __device__ T get() const { return hidden; } };
typedef Box<int> IntBox;
using FloatBox = Box<float>;
__device__ Box<int> global_box;
__constant__ D<int> constant_d = {1, 2, {3}};
template <class T, class Op> __device__ T apply(T a, T b, Op op) { return op(a, b); }
template <class T> struct Plus { __device__ T operator()(T a, T b) const { return a + b; } };
extern "C" __global__ void test(int *out)
{
    Node<int> a{1, nullptr, nullptr}, b{2, &a, &a};
    out[0] = b.count();
    Box<int> x{3, {4}}, y{5, {6}};
    Box<int> z = x + y;
    out[1] = z.v * 10 + z[1] + z(7);
    out[2] = z.def() + z.def(10) * 100 + (int)z.deduced();
    out[3] = z.inner.twice() + IntBox::B + Box<int>::A + Box<int>::cube((int)x.v) + Box<char>::N;
    IntBox::Inner in{9}; IntBox::value_type vt = 4; FloatBox::value_type ft = 2.5f;
    out[4] = in.twice() + vt + (int)(ft * 2);
    D<int> d1; D<char, double> d2; D<short, short, 7> d3;
    out[5] = sizeof(d1) * 10000 + sizeof(d2) * 100 + sizeof(d3);
    out[6] = Traits<const int *>::id + Traits<float[3]>::id + Traits<float>().f() + Traits<float>{}.g() + Traits<int(float)>::id;
    Bits<float> bits; bits.value = 1.0f; out[7] = bits.bytes[3];
    Priv<int> p; p.set(8); out[8] = p.get();
    global_box = x * 2; out[9] = global_box.v + constant_d.u + (x == x) + peek(&x);
    out[10] = apply(3, 4, Plus<int>()) + apply(1.5f, 2.5f, Plus<float>{});
}
template <typename T> __global__ void kern(Box<T> b, Plus<T> *p, T *out) { *out = (*p)(b.v, b.v); }
template __global__ void kern<double>(Box<double>, Plus<double> *, double *);
