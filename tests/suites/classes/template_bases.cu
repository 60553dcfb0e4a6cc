// Bases that are instances of class templates, and class templates that have bases.
template <typename T, T v> struct integral_constant { static constexpr T value = v; typedef T value_type; typedef integral_constant type; __device__ constexpr operator T() const { return v; } };
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <typename A, typename B> struct is_same : false_type {};
template <typename A> struct is_same<A, A> : true_type {};
template <typename T> struct Base { T b; __device__ T twice() const { return b * 2; } };
template <typename T> struct Derived : Base<T> { T d; __device__ Derived(T x) : Base<T>{x}, d(x + 1) {} __device__ T all() const { return this->b + d + this->twice(); } };
struct Conc : Base<int> { __device__ Conc() : Base<int>() { b = 4; } __device__ int g() { return b + twice(); } };
template <typename Op> __device__ int apply(Op op) { return op(1, 2); }
struct Plus { __device__ int operator()(int a, int b) const { return a + b; } };
template <typename T> struct Wrap : T { };
template <typename D> struct Shape { __device__ int twice() const { return 2 * static_cast<const D &>(*this).area(); } };
struct Square : Shape<Square> { int n; __device__ Square(int a) : n(a) {} __device__ int area() const { return n * n; } };
template <typename T, int N> struct Row {
  T v[N];
  __device__ T &operator()(int i) { return v[i]; }
  __device__ const T &operator()(int i) const { return v[i]; }
  __device__ T get(int i) const { return (*this)(i); }
  __device__ T get() const { return get(1); }
  __device__ static Row filled(T x) { Row r; for (int i = 0; i < N; i++) r(i) = x + i; return r; }
};
extern "C" __global__ void test(int *out) {
  out[6] = Square(3).twice();
  out[7] = Row<int, 4>::filled(5).get();
  out[0] = is_same<int, int>::value + is_same<int, float>::value * 10;
  Derived<int> d(5); out[1] = d.all(); out[2] = d.twice();
  Conc c; out[3] = c.g();
  out[4] = apply(Wrap<Plus>());
  typename is_same<int,int>::value_type t = true; out[5] = t;
}
