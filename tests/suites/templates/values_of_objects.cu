//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)

// Objects whose conversion functions give template arguments and lengths of arrays; `decltype(…)::value` as an argument.
template <int N> struct Constant {
    static constexpr int value = N;
    typedef Constant<N + 1> next;
    __device__ constexpr operator int() const { return N; }
    __device__ constexpr int operator()() const { return N + 1; }
};
template <int N> __device__ int twice() { return N * 2; }
template <typename T> __device__ int size() { return sizeof(T); }
template <typename T> __device__ int within(T dim) {
    int list[dim];
    list[0] = 1;
    return twice<dim>() + twice<dim()>() + list[0] + sizeof list + twice<decltype(dim)::value + 1>() + twice<decltype(dim)::value>() +
           twice<decltype(dim)::value * 2>() + twice<T::value + 1>() +
           size<typename decltype(dim)::next *>();
}

extern "C" __global__ void test(float *out) {
    auto given = [&](auto dim) { return twice<dim>() + twice<decltype(dim)::value - 1>(); };
    Constant<5> five;
    out[threadIdx.x] = given(Constant<3>{}) + within(Constant<4>{}) + twice<five>() + twice<decltype(five)::value % 3>() +
                       size<decltype(five)::next>();
}
