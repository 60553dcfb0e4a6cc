// Members of class templates defined outside, of partial specializations too; explicit instantiations.
template <typename T> struct A { T v; __device__ T get() const { return v; } __device__ void set(T x); struct I { T w; __device__ T two() const { return w * 2; } }; };
template <typename T> __device__ void A<T>::set(T x) { v = x; }
template struct A<float>;
template <typename T> struct Host { T v; static constexpr int k = 3; };
template struct Host<int>;
namespace n { template <typename T> struct B { T b; __device__ T get() const; }; }
template <typename T> __device__ T n::B<T>::get() const { return b; }
template struct n::B<char>;
template <typename T> struct A<T *> { T *p; __device__ T get() const; };
template <typename U> __device__ U A<U *>::get() const { return *p; }
extern "C" __global__ void test(int *out) { A<int *> a{out}; out[1] = a.get() + Host<int>::k; }
