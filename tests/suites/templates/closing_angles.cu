//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// Default arguments whose lists end where that of the parameters ends: `>>`, `>>>`.
template <class T> struct plain { typedef T type; static const int n = sizeof(T); static const bool value = true; };
template <class T> using plain_t = typename plain<T>::type;
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <class T> struct is_small { static const bool value = sizeof(T) < 8; };
template <class T> constexpr bool is_small_v = is_small<T>::value;
namespace w { template <class T> using al = typename plain<T>::type; template <class T, class U = plain<plain<T>>> struct two { T a; U b; }; }
template <class T, class R = plain_t<T>> __device__ __noinline__ R a(T x) { return x; }
template <class T, class R = w::al<T>> __device__ __noinline__ R b(T x) { return x; }
template <class T, class R = plain<plain<T>>> __device__ __noinline__ int c(T x) { return R::n; }
template <class T, class = enable_if_t<is_small_v<T>>> __device__ __noinline__ int d(T x) { return 1; }
template <class T, class R = enable_if_t<is_small_v<T>, plain<plain<T>>>> __device__ __noinline__ int e(T x) { return R::n; }
template <class T, int N = sizeof(plain<plain<T>>)> __device__ __noinline__ int f(T x) { return N; }
struct Q { template <class T, class R = w::al<T>> __device__ __noinline__ R g(T x) { return x; } };
extern "C" __global__ void test(float *out) { int t = threadIdx.x; w::two<int> z; out[t] = a(t) + b(2.f) + c(3.0) + d(t) + e('a') + f(1.5) + Q().g(t) + sizeof(z); }
