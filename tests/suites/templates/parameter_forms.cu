//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)

// Default arguments that name what a later parameter hides; parameters that are arrays.
constexpr int max_threads = 1024;
typedef float Item;
template <int N, int per_group = max_threads, int max_threads = 256> __device__ int sum() { return per_group + max_threads + N; }
template <typename A, typename B = Item, typename Item = double> __device__ int sizes(A) { return sizeof(B) + 16 * sizeof(Item); }
namespace inner {
enum { rows = 5 };
template <int a, int b = rows * a, int rows = 2> struct Table { static constexpr int value = b * rows; };
}

static __device__ __constant__ const unsigned primes[2] = {7, 9};
static __device__ __constant__ const unsigned factor = 3;
template <int N, const unsigned LIST[(N + 31) / 32], const unsigned &FACTOR> struct Modulus {
    unsigned list[2];
    __device__ void set() {
        for (int i = 0; i < N / 32; i++) list[i] = LIST[i] * FACTOR;
    }
};
template <class T> __device__ T column(T rows[][4], int n, const T (&whole)[2][4]) { return rows[n][1] + whole[1][n]; }

extern "C" __global__ void test(float *out) {
    float rows[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    Modulus<64, primes, factor> m;
    m.set();
    out[threadIdx.x] = sum<1>() + sum<1, 2>() + sizes('a') + inner::Table<3>::value + inner::Table<3, 7>::value +
                       m.list[0] + m.list[1] + column(rows, threadIdx.x & 1, rows);
}
