// expressions: arithmetic of whole vectors without temporary vectors, by expression templates.
//
// `2.0f * x + y * z` on vectors makes no vector: operators only build an object that says what to compute,
// whose type is the tree of the expression. Assigning it to a vector computes one element after the other.
// The compiler inlines all of it; what is left is the loop that one would write for this expression alone.
//
// Launch:  any number of blocks of any size
// n        elements of each vector
// x, y, z  n elements, read
// out      n elements, written

#include <type_traits>

// What all expressions derive from, so that the operators take nothing else.
template <typename E>
struct Expression {
    __device__ const E &self() const { return static_cast<const E &>(*this); }
};

template <typename T>
struct Constant : Expression<Constant<T>> {
    T value;
    __device__ explicit Constant(T value) : value(value) {}
    __device__ T operator[](int) const { return value; }
};

template <typename T>
class Vector : public Expression<Vector<T>> {
public:
    __device__ Vector(T *data, int n) : data_(data), n_(n) {}
    __device__ T operator[](int i) const { return data_[i]; }

    template <typename E>
    __device__ Vector &operator=(const Expression<E> &expression)
    {
        const E &of = expression.self();
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n_; i += gridDim.x * blockDim.x)
            data_[i] = of[i];
        return *this;
    }

private:
    T *data_;
    int n_;
};

// The operands of an operation, one after the other: `apply` calls it with element i of each.
template <typename... E>
struct Operands {
    template <typename Op, typename... Values>
    __device__ auto apply(Op op, int, Values... values) const { return op(values...); }
};

template <typename First, typename... Rest>
struct Operands<First, Rest...> {
    First first;
    Operands<Rest...> rest;

    __device__ explicit Operands(const First &first, const Rest &...rest) : first(first), rest(rest...) {}

    template <typename Op, typename... Values>
    __device__ auto apply(Op op, int i, Values... values) const
    {
        return rest.apply(op, i, values..., first[i]);
    }
};

template <typename Op, typename... E>
class Applied : public Expression<Applied<Op, E...>> {
public:
    __device__ explicit Applied(const E &...operands) : operands_(operands...) {}
    __device__ auto operator[](int i) const { return operands_.apply(Op(), i); }

private:
    Operands<E...> operands_;
};

struct Add { template <typename T> __device__ T operator()(T a, T b) const { return a + b; } };
struct Multiply { template <typename T> __device__ T operator()(T a, T b) const { return a * b; } };
struct Root { template <typename T> __device__ T operator()(T a) const { return sqrt(a); } };
struct Choose { template <typename T> __device__ T operator()(T a, T b, T c) const { return a > T(0) ? b : c; } };

template <typename A, typename B>
__device__ Applied<Add, A, B> operator+(const Expression<A> &a, const Expression<B> &b)
{
    return Applied<Add, A, B>(a.self(), b.self());
}

template <typename A, typename B>
__device__ Applied<Multiply, A, B> operator*(const Expression<A> &a, const Expression<B> &b)
{
    return Applied<Multiply, A, B>(a.self(), b.self());
}

template <typename T, typename B, typename = std::enable_if_t<std::is_arithmetic<T>::value>>
__device__ auto operator*(T a, const Expression<B> &b)
{
    return Constant<T>(a) * b;
}

template <typename A>
__device__ auto root(const Expression<A> &a)
{
    return Applied<Root, A>(a.self());
}

template <typename A, typename B, typename C>
__device__ auto choose(const Expression<A> &a, const Expression<B> &b, const Expression<C> &c)
{
    return Applied<Choose, A, B, C>(a.self(), b.self(), c.self());
}

template <typename T>
__global__ void expressions(int n, T *x, T *y, T *z, T *out)
{
    const Vector<T> a(x, n), b(y, n), c(z, n);
    Vector<T> result(out, n);
    result = choose(a, T(2) * a + b * c, root(a * a + b * b));
}

template __global__ void expressions<float>(int, float *, float *, float *, float *);
template __global__ void expressions<double>(int, double *, double *, double *, double *);
