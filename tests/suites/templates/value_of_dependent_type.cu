// Parameters for values whose types depend on parameters before them: templates that differ in nothing else are different ones.
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <class T> struct is_int { static constexpr bool value = false; };
template <> struct is_int<int> { static constexpr bool value = true; };
namespace n { typedef unsigned size; }

template <class T, typename enable_if<is_int<T>::value, int>::type = 0> __device__ __noinline__ int qualified(T);
template <class U, typename enable_if<is_int<U>::value, int>::type> __device__ __noinline__ int qualified(U) { return 1; }
template <class T, typename enable_if<!is_int<T>::value, int>::type = 0> __device__ __noinline__ int qualified(T) { return 2; }
template <class T, enable_if_t<is_int<T>::value, int> = 0> __device__ __noinline__ int alias(T) { return 3; }
template <class T, enable_if_t<!is_int<T>::value, int> = 0> __device__ __noinline__ int alias(T) { return 4; }
template <class T, T V> __device__ __noinline__ T value() { return V; }
template <int N> __device__ __noinline__ int again();
template <int M> __device__ __noinline__ int again() { return M; }
template <n::size> __device__ __noinline__ int unnamed() { return 5; }

extern "C" __global__ void test(int *out)
{
    out[0] = qualified(1);
    out[1] = qualified(1.0f);
    out[2] = alias(1);
    out[3] = alias(1.0f);
    out[4] = value<int, 4>();
    out[5] = (int)value<unsigned long, 7>();
    out[6] = again<6>();
    out[7] = unnamed<8>();
}
