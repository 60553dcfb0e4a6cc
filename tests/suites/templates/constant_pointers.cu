//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)

// Pointers that are constants of the host: device code has their values, as with nvcc.
typedef float (*Function)(float);
template <int N> __device__ float times(float x) { return x * N; }
__device__ float plus(float x) { return x + 1; }
__device__ int plus(int x) { return x + 2; }
__device__ float list[4] = {4, 5, 6, 7};
struct Pair { int a, b; };
__device__ Pair pair = {8, 9};

constexpr Function same = times<1>;
static float (*const next)(float) = plus;
constexpr auto *other = static_cast<int (*)(int)>(plus);
constexpr float *middle = list + 2;
constexpr float (*whole)[4] = &list;
constexpr int *member = &pair.b;
constexpr void *untyped = list;
constexpr const char *text = "abc" + 1;
float *const nothing = nullptr;
constexpr Function no_function = nullptr;

template <int N> struct Traits { static constexpr Function function = times<N>; static constexpr float *data = nullptr; };
template <> struct Traits<3> { static constexpr Function function = nullptr; static constexpr float *data = list; };
struct Table { Function function; int factor; };
struct Holder { static constexpr Table table = {times<5>, 6}; inline static float (*const kept)(float) = plus; };

template <Function F> __device__ float call(float x) { return F(x); }
template <int N> __device__ float chosen(float x) {
    constexpr Function function = Traits<N>::function;
    if constexpr (function != nullptr) return function(x);
    else return Traits<N>::data[N];
}

extern "C" __global__ void test(float *out) {
    int i = threadIdx.x;
    float x = out[i] + i;
    float sum = same(x) + next(x) + other(i) + *middle + middle[-1] + (*whole)[i & 3] + *member;
    sum += *(float *)untyped + text[i & 1] + (nothing == nullptr) + (no_function ? no_function(x) : 3);
    sum += chosen<2>(x) + chosen<3>(x) + Traits<7>::function(x) + Holder::table.function(x) * Holder::table.factor;
    out[i] = sum + Holder::kept(x) + call<same>(x) + call<Traits<4>::function>(x);
}
