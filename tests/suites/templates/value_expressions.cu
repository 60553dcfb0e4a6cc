// Arguments that are expressions: in parentheses, with `sizeof`, of parameters, of constants.
template <int N> __device__ int f() { return N; }
template <bool B> __device__ int g() { return B ? 10 : 20; }
template <int N> __device__ int around() { return f<N - 1>() * 100 + f<N + 1>(); }
template <int N, int M = N * 2 + 1> __device__ int next() { return f<M>(); }
constexpr int WIDTH = 6;
const int HEIGHT = 4;
constexpr __host__ __device__ int area(int a, int b) { return a * b; }

extern "C" __global__ void test(int *out)
{
    out[0] = g<(3 > 2)>();
    out[1] = g<(2 > 3)>();
    out[2] = f<sizeof(int) * 2>();
    out[3] = around<8>();
    out[4] = next<5>();
    out[5] = f<WIDTH * HEIGHT>();
    out[6] = f<(WIDTH >> 1)>();
    out[7] = f<WIDTH << 2>();
    out[8] = f<area(WIDTH, 3)>();
    out[9] = g<WIDTH == 6 && HEIGHT < 5>();
    out[10] = f<(WIDTH > 5 ? 1 : 2)>();
    out[11] = f<'0' + 1>();
    out[12] = f<-WIDTH>();
    out[13] = g<!WIDTH>();
}
