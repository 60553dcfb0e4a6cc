// Class templates in signatures: what is deduced, member types, SFINAE, alias templates, symbols.
template <bool B, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { typedef T type; };
template <bool B, typename T = void> using enable_if_t = typename enable_if<B, T>::type;
template <typename A, typename B> struct is_same { static constexpr bool value = false; };
template <typename A> struct is_same<A, A> { static constexpr bool value = true; };
template <typename T> struct is_pointer { enum { value = 0 }; };
template <typename T> struct is_pointer<T *> { enum { value = 1 }; };
template <> struct is_pointer<int> { enum { value = 7 }; };
template <typename T, int N> struct S { T v[N]; typedef T type; struct R { T b; }; };
template <typename T, int N> __device__ T first(const S<T, N> &s) { return s.v[0]; }
template <typename T> __device__ typename S<T, 4>::type member(T a) { return a; }
template <typename T> __device__ typename enable_if<is_same<T, int>::value, int>::type only(T a) { return 1; }
template <typename T> __device__ typename enable_if<!is_same<T, int>::value, int>::type only(T a) { return 2; }
template <typename T> __device__ enable_if_t<(sizeof(T) > 2), int> only3(T a) { return 1; }
template <typename T> __device__ enable_if_t<(sizeof(T) <= 2), int> only3(T a) { return 2; }
namespace n { template <typename T> struct Q { T a; struct R { T b; }; __device__ Q<T> self(Q other) { return other; } };
template <int N> struct fact { static constexpr int value = N * fact<N - 1>::value; };
template <> struct fact<0> { static constexpr int value = 1; };
}
template <typename T> __device__ int inq(n::Q<T> a, n::Q<n::Q<T>> *b, typename n::Q<T>::R r) { return 1; }
template <typename T> using Ptr = T *;
template <typename T> __device__ int viaptr(Ptr<T> p, Ptr<const T> q) { return 1; }
template <typename ...T> struct Tup { int n; static constexpr int size = sizeof...(T); };
template <typename ...T> __device__ int tup(Tup<T...> a, Tup<T *...> *b) { return sizeof...(T); }
template <typename T, typename ...R> struct First { typedef T type; };
__device__ S<int, 3> g(S<int, 3> a, S<S<int, 3>, 2> *b, n::Q<float>::R c) { return a; }
template <bool B, signed char C, unsigned long U> struct V { int a; };
__device__ int h(V<true, -3, 7> a) { return a.a; }
extern "C" __global__ void test(int *out)
{
    S<int, 4> s{{4, 5, 6, 7}};
    S<int, 4>::R rr{8};
    out[0] = first(s) + rr.b + member(3);
    out[1] = only(1) * 10 + only(1.5);
    out[2] = only3(1) * 10 + only3('c');
    out[3] = is_pointer<int *>::value * 100 + is_pointer<float>::value * 10 + is_pointer<int>::value;
    n::Q<int> q{3}; n::Q<int>::R r{4};
    out[4] = q.self(q).a + inq(q, (n::Q<n::Q<int>> *)0, r) + viaptr(out, out);
    Tup<int, float> t{1};
    out[5] = tup(t, (Tup<int*, float*> *)0) * 10 + Tup<>::size + Tup<int, int>::size;
    First<float, int>::type f = 2.5f;
    out[6] = (int)(f * 10);
    out[7] = n::fact<5>::value;
    if constexpr (is_same<int, float>::value) out[8] = 1; else out[8] = 2;
}
