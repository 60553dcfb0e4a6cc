// Traits, lists of types and of values, recursion, constants: class templates as libraries of metafunctions use them.
template <typename T> struct id { typedef T type; };
template <typename T> using ident_t = typename id<T>::type;
template <typename T, T v> struct integral_constant { static constexpr T value = v; typedef T value_type; typedef integral_constant<T, v> type; };
typedef integral_constant<bool, true> true_type; using false_type = integral_constant<bool, false>;
template <bool B> using bool_constant = integral_constant<bool, B>;
template <typename...> using voident_t = void;
template <bool B, typename T, typename F> struct conditional { typedef T type; };
template <typename T, typename F> struct conditional<false, T, F> { typedef F type; };
template <bool B, typename T, typename F> using conditional_t = typename conditional<B, T, F>::type;
template <typename T> struct remove_const { typedef T type; };
template <typename T> struct remove_const<const T> { typedef T type; };
template <typename T> struct remove_reference { typedef T type; };
template <typename T> struct remove_reference<T &> { typedef T type; };
template <typename T> struct remove_reference<T &&> { typedef T type; };
template <typename T> using decay_t = typename remove_const<typename remove_reference<T>::type>::type;
template <int N, typename... T> struct nth;
template <typename T, typename... R> struct nth<0, T, R...> { typedef T type; };
template <int N, typename T, typename... R> struct nth<N, T, R...> { typedef typename nth<N - 1, R...>::type type; };
template <typename... T> struct type_list { static constexpr int size = sizeof...(T); };
template <int... N> struct ints { static constexpr int sum = (N + ... + 0); static constexpr int count = sizeof...(N); };
template <int N, int... R> struct make_ints { typedef typename make_ints<N - 1, N - 1, R...>::type type; };
template <int... R> struct make_ints<0, R...> { typedef ints<R...> type; };
template <typename T, typename = void> struct has_x { static constexpr bool value = false; };
template <typename T> struct has_x<T, voident_t<decltype(T::x)>> { static constexpr bool value = true; };
template <typename T, T... v> struct seq { static constexpr int n = sizeof...(v); };
template <int... I> __device__ int total(ints<I...>, const int *p) { return (p[I] + ...); }
struct WithX { int x; }; struct NoX { int y; };
template <typename T> __device__ conditional_t<(sizeof(T) > 4), double, float> widen(T a) { return a; }
template <typename T> __device__ int sz(ident_t<T> a) { return sizeof(a); }
template <typename T, int N> struct Mat { T d[N][N]; __device__ Mat<T, N> operator*(const Mat<T, N> &o) const { Mat r; for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { T s = 0; for (int k = 0; k < N; k++) s += d[i][k] * o.d[k][j]; r.d[i][j] = s; } return r; } };
template <int N> struct Fib { enum { value = Fib<N - 1>::value + Fib<N - 2>::value }; };
template <> struct Fib<0> { enum { value = 0 }; };
template <> struct Fib<1> { enum { value = 1 }; };
enum class Op { ADD, MUL };
template <Op O> struct Apply;
template <> struct Apply<Op::ADD> { static __device__ int f(int a, int b) { return a + b; } };
template <> struct Apply<Op::MUL> { static __device__ int f(int a, int b) { return a * b; } };
template <Op O> __device__ int apply(int a, int b) { return Apply<O>::f(a, b); }
template <typename T> struct Ref { T &r; __device__ Ref &add(T x) { r += x; return *this; } };
template <typename T> __device__ Ref<T> make_ref(T &x) { return Ref<T>{x}; }
extern "C" __global__ void test(int *out)
{
    out[0] = true_type::value + false_type::value * 10 + bool_constant<(3 > 2)>::type::value * 100;
    nth<1, char, double, int>::type d = 2.5; out[1] = (int)(d * 2) + sizeof(nth<0, char, int>::type);
    out[2] = type_list<int, float, char>::size + ints<1, 2, 3>::sum * 10 + make_ints<5>::type::sum * 100;
    out[3] = has_x<WithX>::value * 10 + has_x<NoX>::value;
    int a[3] = {1, 2, 3};
    out[4] = total(ints<0, 2>{}, a) + total(make_ints<3>::type{}, a) * 100;
    out[5] = sizeof(widen(1)) + sizeof(widen(1L)) * 10 + sz<char>(3) * 100;
    Mat<int, 2> m{{{1, 2}, {3, 4}}}; Mat<int, 2> p = m * m; out[6] = p.d[1][1] + (m * m * m).d[0][0];
    out[7] = Fib<10>::value + apply<Op::MUL>(6, 7) + apply<Op::ADD>(1, 1);
    int x = 1; make_ref(x).add(2).add(3); out[8] = x;
    decay_t<const int &> y = 4; out[9] = y + seq<int, 1, 2, 3>::n;
    const auto lam = Mat<int, 2>{{{1}}}; out[10] = lam.d[0][0];
}
