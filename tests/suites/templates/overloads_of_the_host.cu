//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)

// Functions of the host beside functions of the device with the same name, defined before or after them.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>
enum Layout { A, B };
template <int N> __global__ void kernel(float *o) { o[N] = N; }

static __device__ int stride(float x) { return x == 3 ? 3 : 4; }
static int stride(const int n);
static int stride(const int n) {
    std::vector<int> list(n);
    kernel<3><<<1, 1>>>(nullptr);
    return list.size();
}
static int stride(std::string text) {
    try {
        return text.size();
    } catch (...) {
        return 0;
    }
}
float stride(double x, double y) {
    kernel<4><<<1, 1>>>(nullptr);
    return std::sqrt(x * y);
}
static __host__ int stride(const int type, const int n, const bool is_last, const float scale) { return type + n + is_last + scale; }
static constexpr __device__ int stride(int type, int n, bool is_last, Layout layout = B) { return type * n + layout; }
__device__ int stride(Layout layout) { return layout; }

namespace inner {
__host__ __device__ inline float half(float x) { return x / 2; }
inline double half(double x) { return std::floor(x / 2); }
int half(int x) { return x / 2; }
}

extern "C" __global__ void test(float *out) {
    int i = threadIdx.x;
    constexpr int n = stride(3, 4, true);
    out[i] = stride(1.0f) + stride(B) + n + stride(i, 2, false, A) + inner::half(out[i]);
}

int main() { return stride(3) + stride(std::string("abc")) + stride(3.0, 3.0) + inner::half(3) + inner::half(2.0); }
