// What templates cost: many instances of class templates, packs, recursion over types, expression templates and traits.
//
// The input of ci/bench_parts/templates.py. COUNT is the number of groups; each has three kernels with instances of its own.

#include <type_traits>

#ifndef COUNT
#define COUNT 8
#endif

// Lists of types, and recursion over them.
template <typename... T>
struct List {
    static constexpr int size = sizeof...(T);
};

template <typename L, typename T>
struct Append;
template <typename... U, typename T>
struct Append<List<U...>, T> {
    using type = List<U..., T>;
};

template <int N, typename L = List<>>
struct Repeat : Repeat<N - 1, typename Append<L, std::conditional_t<N % 3 == 0, float, std::conditional_t<N % 3 == 1, int, double>>>::type> {};
template <typename L>
struct Repeat<0, L> {
    using type = L;
};

template <typename L, template <typename> class F>
struct Transform;
template <typename... T, template <typename> class F>
struct Transform<List<T...>, F> {
    using type = List<typename F<T>::type...>;
};

template <typename T>
struct Wider {
    using type = std::conditional_t<std::is_integral_v<T>, long long, double>;
};

template <typename L>
struct Bytes;
template <>
struct Bytes<List<>> {
    static constexpr int value = 0;
};
template <typename First, typename... Rest>
struct Bytes<List<First, Rest...>> {
    static constexpr int value = int(sizeof(First)) + Bytes<List<Rest...>>::value;
};

// A tuple, by recursion.
template <typename... T>
struct Tuple;
template <>
struct Tuple<> {
    template <typename F>
    __device__ void each(F) const {}
};
template <typename First, typename... Rest>
struct Tuple<First, Rest...> {
    First first;
    Tuple<Rest...> rest;

    __device__ explicit Tuple(const First &first, const Rest &...rest) : first(first), rest(rest...) {}
    template <typename F>
    __device__ void each(F f) const
    {
        f(first);
        rest.each(f);
    }
};

template <int N, typename T>
struct Element;
template <int N, typename First, typename... Rest>
struct Element<N, Tuple<First, Rest...>> : Element<N - 1, Tuple<Rest...>> {};
template <typename First, typename... Rest>
struct Element<0, Tuple<First, Rest...>> {
    using type = First;
};

template <int N, typename First, typename... Rest>
__device__ const auto &get(const Tuple<First, Rest...> &tuple)
{
    if constexpr (N == 0)
        return tuple.first;
    else
        return get<N - 1>(tuple.rest);
}

template <typename... T>
__device__ Tuple<T...> make(const T &...values)
{
    return Tuple<T...>(values...);
}

// Sums over packs, with indices.
template <int... I>
struct Indices {};
template <int N, int... I>
struct Count : Count<N - 1, N - 1, I...> {};
template <int... I>
struct Count<0, I...> {
    using type = Indices<I...>;
};

template <typename T, int... I>
__device__ double weighted(const T &tuple, Indices<I...>)
{
    return ((double(get<I>(tuple)) * (I + 1)) + ...);
}

// Expression templates.
template <typename E>
struct Expression {
    __device__ const E &self() const { return static_cast<const E &>(*this); }
};

template <typename T, int N>
struct Vector : Expression<Vector<T, N>> {
    T value[N];

    __device__ explicit Vector(T all)
    {
        for (int i = 0; i < N; i++)
            value[i] = all;
    }
    template <typename E>
    __device__ Vector(const Expression<E> &from)
    {
        for (int i = 0; i < N; i++)
            value[i] = from.self()[i];
    }
    __device__ T operator[](int i) const { return value[i]; }
};

template <typename Op, typename A, typename B>
struct Binary : Expression<Binary<Op, A, B>> {
    A a;
    B b;
    __device__ Binary(const A &a, const B &b) : a(a), b(b) {}
    __device__ auto operator[](int i) const { return Op::of(a[i], b[i]); }
};

struct Add { template <typename A, typename B> static __device__ auto of(A a, B b) { return a + b; } };
struct Subtract { template <typename A, typename B> static __device__ auto of(A a, B b) { return a - b; } };
struct Multiply { template <typename A, typename B> static __device__ auto of(A a, B b) { return a * b; } };

template <typename A, typename B>
__device__ Binary<Add, A, B> operator+(const Expression<A> &a, const Expression<B> &b) { return {a.self(), b.self()}; }
template <typename A, typename B>
__device__ Binary<Subtract, A, B> operator-(const Expression<A> &a, const Expression<B> &b) { return {a.self(), b.self()}; }
template <typename A, typename B>
__device__ Binary<Multiply, A, B> operator*(const Expression<A> &a, const Expression<B> &b) { return {a.self(), b.self()}; }

// Choices by traits, by `enable_if` and by `if constexpr`.
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
__device__ double scaled(T value) { return value * 0.5; }
template <typename T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
__device__ double scaled(T value) { return value * T(2); }

template <typename T>
struct has_length {
    template <typename U>
    static std::true_type ask(decltype(&U::length));
    template <typename U>
    static std::false_type ask(...);
    static constexpr bool value = decltype(ask<T>(nullptr))::value;
};

template <typename T, int N>
struct Point {
    T at[N];
    __device__ T length() const
    {
        T sum = 0;
        for (int i = 0; i < N; i++)
            sum += at[i] * at[i];
        return sum;
    }
};

template <typename T>
__device__ double measure(const T &x)
{
    if constexpr (has_length<T>::value)
        return double(x.length());
    else
        return scaled(x);
}

// A matrix of a fixed size, with a product that checks the sizes.
template <typename T, int ROWS, int COLUMNS>
struct Matrix {
    T cell[ROWS][COLUMNS] = {};

    template <int OTHER>
    __device__ Matrix<T, ROWS, OTHER> operator*(const Matrix<T, COLUMNS, OTHER> &b) const
    {
        Matrix<T, ROWS, OTHER> product;
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < OTHER; j++)
                for (int k = 0; k < COLUMNS; k++)
                    product.cell[i][j] += cell[i][k] * b.cell[k][j];
        return product;
    }
};

// One group: each has instances of its own of everything above.
template <int G, typename T>
__global__ void group(const T *x, double *out)
{
    using Types = typename Repeat<6 + G % 7>::type;
    using Wide = typename Transform<Types, Wider>::type;
    double sum = Types::size + Bytes<Types>::value + Bytes<Wide>::value;

    const auto tuple = make(x[0], int(x[1]), float(x[2]), Point<T, G % 5 + 1>{{x[3]}}, double(x[4]) + G);
    tuple.each([&sum](const auto &value) { sum += measure(value); });
    sum += weighted(make(x[5], float(x[6]), int(x[7]), x[8], double(G)), typename Count<5>::type());

    const Vector<T, G % 4 + 2> a(x[9]), b(x[10]), c(x[11]);
    const Vector<T, G % 4 + 2> d = a * b + c * (a - b) * c + a;
    const Vector<double, G % 4 + 2> e = d - a * c;
    sum += e[G % 4 + 1];

    Matrix<T, G % 3 + 1, 2> left;
    Matrix<T, 2, G % 2 + 1> right;
    left.cell[0][1] = x[12];
    right.cell[1][0] = x[13];
    sum += (left * right).cell[0][0];
    out[threadIdx.x] = sum;
}

template <int G>
void launch(const float *f, const double *d, const int *i, double *out)
{
    group<G, float><<<1, 32>>>(f, out);
    group<G, double><<<1, 32>>>(d, out);
    group<G, int><<<1, 32>>>(i, out);
    if constexpr (G > 0)
        launch<G - 1>(f, d, i, out);
}

void all(const float *f, const double *d, const int *i, double *out) { launch<COUNT - 1>(f, d, i, out); }
