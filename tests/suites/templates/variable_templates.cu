// Variable templates: constants, partial and explicit specializations, in signatures.
template <typename T> constexpr int size_v = sizeof(T);
template <typename T> constexpr bool is_ptr_v = false;
template <typename T> constexpr bool is_ptr_v<T *> = true;
template <> constexpr bool is_ptr_v<float> = true;
template <typename A, typename B> struct is_same { static constexpr bool value = false; };
template <typename A> struct is_same<A, A> { static constexpr bool value = true; };
namespace n { template <typename A, typename B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <typename T> constexpr T pi = T(3.14159265358979); }
template <int N> constexpr int fact = N * fact<N - 1>;
template <> constexpr int fact<0> = 1;
template <bool B, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { typedef T type; };
template <bool B, typename T = void> using enable_if_t = typename enable_if<B, T>::type;
template <typename T> __device__ enable_if_t<n::is_same_v<T, int>, int> pick(T a) { return 1; }
template <typename T> __device__ enable_if_t<!n::is_same_v<T, int>, int> pick(T a) { return 2; }
template <typename T> __device__ enable_if_t<is_ptr_v<T>, int> ptr(T a) { return 1; }
template <typename T> __device__ int area() { int a[size_v<T>]; a[0] = 1; if constexpr (is_ptr_v<T>) return 1; else return sizeof(a) + a[0]; }
extern "C" __global__ void test(int *out)
{
    out[0] = size_v<double> + size_v<char> * 10;
    out[1] = is_ptr_v<int *> + is_ptr_v<int> * 10 + is_ptr_v<float> * 100;
    out[2] = pick(1) + pick(1.5f) * 10 + ptr(out);
    out[3] = (int)(n::pi<float> * 1000) + n::pi<int>;
    out[4] = fact<5> + area<int>() * 1000 + area<char *>();
    static_assert(n::is_same_v<int, int> && !n::is_same_v<int, char>, "same");
}
