// Class templates with constructors, default member values and conversion functions, in the class and outside.
template <typename T> struct Complex {
    T re, im;
    __device__ Complex() : re(0), im(0) {}
    __device__ Complex(T r, T i = T(0)) : re(r), im(i) {}
    __device__ Complex operator+(const Complex &o) const { return Complex(re + o.re, im + o.im); }
    __device__ Complex operator*(const Complex &o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
    __device__ Complex &operator+=(const Complex &o) { *this = *this + o; return *this; }
    __device__ T norm() const { return re * re + im * im; }
};
template <typename T, int N> class Stack {
    T data[N];
    int top = 0;
  public:
    __device__ void push(T v) { data[top++] = v; }
    __device__ T pop() { return data[--top]; }
    __device__ bool empty() const { return top == 0; }
};
template <typename T> struct View {
    T *p; int n;
    __device__ View(T *p, int n);
    __device__ explicit View(T *p) : View(p, 1) {}
    __device__ T &operator[](int i) const { return p[i]; }
    __device__ operator T *() const { return p; }
    __device__ T *begin() const { return p; }
    __device__ T *end() const { return p + n; }
    int step = sizeof(T);
};
template <typename T> __device__ View<T>::View(T *q, int m) : p(q), n(m) {}
template <typename T> __device__ View<T> view(T *p, int n) { return View<T>(p, n); }
template <typename T> struct Wrap { T v; __device__ Wrap(T a) : v(a) {} };
__device__ int take(Wrap<int> w) { return w.v; }
template <typename T> __device__ T get(const Complex<T> &c) { return c.re; }
template <typename T> struct Outer { struct Inner { T a; __device__ Inner(T x) : a(x) {} }; Inner in; __device__ Outer(T x) : in(x + 1) {} };
template <> struct Outer<float> { float f = 2.5f; __device__ Outer() {} __device__ float g() const; };
__device__ float Outer<float>::g() const { return f * 2; }
extern "C" __global__ void test(int *out)
{
    Complex<float> a(1, 2), b = 3.0f, c, d{4, 5};
    c += a * b + d;
    out[0] = (int)c.norm() + (int)get(c);
    Stack<int, 8> s; s.push(1); s.push(2); out[1] = s.pop() * 10 + s.pop() + s.empty() * 100;
    int arr[4] = {1, 2, 3, 4};
    View<int> v(arr, 4); int sum = 0; for (int *x = v.begin(); x != v.end(); x++) sum += *x; int *q = v; out[2] = sum + v[2] + *q + view(arr, 2).n + View<int>(arr).n + v.step;
    out[3] = take(5) + Outer<int>(3).in.a + (int)Outer<float>().g();
    Complex<int> z = {1, 2}; Complex<int> zero; out[4] = z.norm() + zero.im + (z + 1).re + Complex<int>(7).re + Complex<int>{}.re;
    Complex<float> list[3]; list[1] = a; out[5] = (int)list[1].im + (int)list[2].re;
}
