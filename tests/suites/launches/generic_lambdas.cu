// Launches in generic lambda expressions of host code: each call says the types of the parameters.
#include <type_traits>
template <int N> struct Constant {
    static constexpr int value = N;
    __host__ __device__ constexpr operator int() const { return N; }
};
template <typename T, int D> __global__ void k(T *x) { x[D] = 1; }
template <bool S, int T, int N> __global__ void sized(float *o) { o[T] = N + S; }
template <typename T> __global__ void typed(T x) {}

void converted(float *x) { auto l = [&](auto dim) { k<float, dim><<<1, 1>>>(x); }; l(Constant<3>{}); }
void member(float *x) { auto l = [&](auto dim) { k<float, dim.value><<<1, 1>>>(x); }; l(std::integral_constant<int, 4>{}); }
void constant(float *x) { auto l = [&](auto dim) { constexpr int n = dim; k<float, n><<<1, 1>>>(x); }; l(std::integral_constant<int, 5>{}); }
void called(float *x) { auto l = [&](auto dim) { k<float, dim()><<<1, 1>>>(x); }; l(std::integral_constant<int, 6>{}); }
void branches(float *x, double *y) {
    auto l = [&](auto dim) {
        if constexpr (dim > 7) k<float, dim><<<1, 1>>>(x);
        else k<double, dim><<<1, 1>>>(y);
    };
    l(std::integral_constant<int, 7>{});
    l(std::integral_constant<int, 8>());
}
void computed(float *x) { auto l = [&](auto dim) { k<float, decltype(dim)::value + 20><<<1, 1>>>(x); }; l(std::true_type{}); l(std::false_type{}); }
template <bool S> void go(float *o, int n) {
    const int threads = 128;
    auto launch = [&](auto NC) { constexpr int n = decltype(NC)::value; sized<S, threads, n><<<1, 1>>>(o); };
    switch (n) {
    case 3: launch(Constant<3>{}); break;
    case 4: launch(Constant<4>{}); break;
    }
}
void several(float *o, int n) {
    go<true>(o, n);
    auto both = [&](auto a, const auto &b, int blocks) { typed<<<blocks, 1>>>(a); typed<<<1, 1>>>(b); };
    both(1.0f, 'a', 2);
    both(2u, o, 3);
}
