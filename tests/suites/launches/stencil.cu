// Stencils in two and three dimensions: a policy struct of constants as a type argument.
#include <cstdio>
#include <utility>
struct Small { enum { X = 16, Y = 4 }; static const int ORDER = 1; };
struct Large { enum { X = 32, Y = 8 }; static const int ORDER = 2; };
template <typename Policy, typename T> __global__ void stencil2d(const T *in, T *out, int w, int h)
{
    int x = blockIdx.x * Policy::X + threadIdx.x, y = blockIdx.y * Policy::Y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    out[y * w + x] = T(0.25) * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
template <int RADIUS, typename T> __global__ void stencil3d(const T *in, T *out, int3 dims)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T sum = 0;
    for (int r = -RADIUS; r <= RADIUS; r++) if (i + r >= 0 && i + r < dims.x) sum += in[i + r];
    out[i] = sum;
}
template <typename Policy> void step(float *&current, float *&next, int w, int h)
{
    dim3 block(Policy::X, Policy::Y);
    dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
    stencil2d<Policy><<<grid, block>>>(current, next, w, h);
    stencil3d<Policy::ORDER><<<1, 32>>>(current, next, make_int3(w, h, 1));
    std::swap(current, next);
}
template <int RADIUS> void step3d(double *a, double *b)
{
    int3 dims = make_int3(64, 64, 64);
    stencil3d<RADIUS, double><<<64, 64>>>(a, b, dims);
    if (RADIUS > 1) stencil3d<RADIUS - 1, double><<<64, 64>>>(b, a, dims);
}
int main()
{
    float *a = 0, *b = 0;
    for (int i = 0; i < 10; i++) i % 2 ? step<Small>(a, b, 100, 100) : step<Large>(a, b, 100, 100);
    double *c = nullptr, *d = nullptr;
    step3d<4>(c, d);
}
