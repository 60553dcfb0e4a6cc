// Template arguments that are written: of launches, addresses and calls of CUDA's runtime; types and constants.
#include <cstddef>
template <typename T, int N = 4> __global__ void k(T *p, int n) { if (threadIdx.x < n) p[threadIdx.x] = T{}; }
template <int B> __global__ void red(float *p) { *p = B; }
template <typename T, bool FLAG, unsigned U> __global__ void many(T *p) { *p = FLAG ? U : 0; }
namespace ns {
template <typename T> __global__ void s(T *a, T b) { *a = b; }
namespace inner { template <int N> __global__ void t(int *p) { *p = N; } }
inline void in_namespace() { s<char><<<1, 1>>>(0, 1); inner::t<3><<<1, 1>>>(nullptr); }
}
namespace alias = ns::inner;
#define TILE 32
const int G = 16;
constexpr int twice(int n) { return 2 * n; }
enum { E1 = 7 };
enum class Mode { A, B };
template <Mode M> __global__ void mode(int *p) { *p = (int)M; }
struct Point { int x, y; };
typedef unsigned long long u64;

static void unused(float *p) { red<100><<<1, 1>>>(p); }
inline void launch(float *d_a, int n, int threads)
{
    k<float, 4><<<1, 32>>>(d_a, n);
    k<double><<<dim3(1, 2), 32, 0, 0>>>(nullptr, n);
    k<Point, TILE * 2><<<1, 1>>>(0, 1);
    k<u64><<<1, 1>>>(0, 1);
    k<const int *><<<1, 1>>>(0, 1);
    k<unsigned char, (1 > 2) ? 5 : 6><<<1, 1>>>(0, 3);
    const int L = 64, L2 = L * 2;
    constexpr size_t M = sizeof(double) * 3;
    red<TILE><<<1, 1>>>(d_a);
    red<G><<<1, 1>>>(d_a);
    red<E1 + 1><<<1, 1>>>(d_a);
    red<L><<<1, 1>>>(d_a);
    red<L2><<<1, 1>>>(d_a);
    red<M><<<1, 1>>>(nullptr);
    red<twice(21)><<<1, 1>>>(nullptr);
    {
        const int L = 65;
        enum { LOCAL = 66 };
        static const unsigned S = 67;
        red<L><<<1, 1>>>(d_a);
        red<LOCAL><<<1, 1>>>(d_a);
        red<S><<<1, 1>>>(d_a);
    }
    red<-1><<<1, 1>>>(d_a);
    many<int, true, 3><<<1, 1>>>(nullptr);
    many<int, G == 16, 4u><<<1, 1>>>(nullptr);
    mode<Mode::B><<<1, 1>>>(nullptr);
    ns::s<short><<<1, 1>>>(nullptr, 2);
    ::ns::inner::t<1><<<1, 1>>>(nullptr);
    alias::t<2><<<1, 1>>>(nullptr);
    switch (threads) {
    case 512: red<512><<<1, 512>>>(d_a); break;
    case 256: red<256><<<1, 256>>>(d_a); break;
    default: if (n) red<1024><<<1, 1024>>>(d_a); else red<1023><<<1, 1>>>(d_a);
    }
    if (false) k<char><<<1, 1>>>(nullptr, 0);
    typedef unsigned short us;
    using ui = unsigned;
    k<us><<<1, 1>>>(0, 1), k<ui><<<1, 1>>>(0, 1);
}
void addresses(int n)
{
    cudaFuncSetAttribute(k<float, 256>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1000);
    cudaFuncSetCacheConfig(&k<float, 257>, cudaFuncCachePreferL1);
    void *args[] = {&n};
    cudaLaunchKernel((const void *)k<int, 77>, 1, 1, args, 0, 0);
    cudaLaunchKernel((void *)(k<int, 78>), 1, 1, args, 0, 0);
    cudaLaunchKernel(reinterpret_cast<const void *>(&k<int, 79>), 1, 1, args, 0, 0);
    int blocks;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, red<31>, 128, 0);
    void (*f)(float *) = red<1000>;
    f = n ? red<1001> : &red<1002>;
    auto g = red<1003>;
    g<<<1, 1>>>(nullptr);
    (void)f;
}
void (*table[])(float *) = {red<1>, red<2>};
auto lambda = [](float *p) { red<3><<<1, 1>>>(p); };
struct Plain {
    float *d;
    void go() { red<4><<<1, 1>>>(d); }
    void later();
};
void Plain::later() { red<5><<<1, 1>>>(d); }
template <> __global__ void red<6>(float *p) { *p = -6; }
void specialized(float *p) { red<6><<<1, 1>>>(p); }
