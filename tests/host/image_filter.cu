// Images: texture objects, vector types, a C API under C++ classes, template methods of the host, PGM files, const tables of both sides.
//@ launch: box_blur grid=2,2 block=8,8
//@ arg: texture(u8[12,10]=random(1), 2d, clamp)
//@ arg: out=u8[12,10]
//@ arg: 10
//@ arg: 12
//@ arg: 1
//@ launch: sobel grid=2,2 block=8,8
//@ arg: in=u8[12,10]=random(2)
//@ arg: out=i32[12,10]
//@ arg: 10
//@ arg: 12
//@ launch: threshold grid=2 block=16
//@ arg: in=u8[120]=random(3)
//@ arg: out=u8[120]
//@ arg: {96, 0, 255, 5}
//@ arg: 30
//@ launch: rgb_to_gray grid=1 block=40
//@ arg: u8[40,4]=random(4)
//@ arg: gray=u8[40]
//@ arg: 40
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <cuda_runtime.h>
#include <texture_types.h>

typedef unsigned char Pixel;
using uchar = unsigned char;

enum FilterKind : int { FILTER_BOX, FILTER_SOBEL = 5, FILTER_THRESHOLD, FILTER_LAST = FILTER_THRESHOLD };

struct ThresholdParameters {
    int level;
    union {
        int low;
        float low_fraction;
    };
    int high;
    enum Mode { BINARY = 4, BINARY_INVERTED } mode;
};

static const int gx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
static const int kBias = 2;
__constant__ int d_gx[9] = {-1, 0, 1, -2, 0, 2, -1, 0, 1};
__constant__ int d_gy[3][3] = {{-1, -2, -1}, {}, {1, 2, 1}};
static_assert(FILTER_LAST == 6);

__host__ __device__ inline int clamp_index(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

__global__ void box_blur(cudaTextureObject_t image, Pixel *out, int width, int height, int radius)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    unsigned int sum = 0, n = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++, n++) sum += tex2D<uchar>(image, x + dx + 0.5f, y + dy + 0.5f);
    out[y * width + x] = (sum + n / 2) / n;
}

__global__ void sobel(const Pixel *__restrict__ in, int *out, int width, int height)
{
    __shared__ Pixel tile[10][12];
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int ty = threadIdx.y; ty < 10; ty += blockDim.y)
        for (int tx = threadIdx.x; tx < 10; tx += blockDim.x) {
            const int row = clamp_index(blockIdx.y * blockDim.y + ty - 1, height);
            tile[ty][tx] = __ldg(in + row * width + clamp_index(blockIdx.x * blockDim.x + tx - 1, width));
        }
    __syncthreads();
    if (x >= width || y >= height) return;
    int sx = 0, sy = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            sx += d_gx[3 * j + i] * tile[threadIdx.y + j][threadIdx.x + i];
            sy += d_gy[j][i] * tile[threadIdx.y + j][threadIdx.x + i];
        }
    out[y * width + x] = abs(sx) + abs(sy) + kBias;
}

__global__ void threshold(const uchar4 *in, uchar4 *out, ThresholdParameters p, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const uchar4 v = in[i];
        const int above = p.mode == ThresholdParameters::BINARY ? p.high : p.low, below = p.high + p.low - above;
#define ONE(c) (Pixel)(v.c >= p.level ? above : below)
        out[i] = make_uchar4(ONE(x), ONE(y), ONE(z), ONE(w));
#undef ONE
    }
}

__global__ void rgb_to_gray(const uchar4 *rgb, Pixel *gray, int n)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) gray[i] = (Pixel)((77u * rgb[i].x + 150u * rgb[i].y + 29u * rgb[i].z) >> 8);
}

class CudaArray {
  public:
    CudaArray(int width, int height) : width_{width}, height_{height}
    {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<Pixel>();
        if (cudaMallocArray(&array_, &format, width, height) != cudaSuccess) throw std::bad_alloc{};
    }
    CudaArray(CudaArray &&o) noexcept : array_(std::exchange(o.array_, nullptr)), width_(o.width_), height_(o.height_) {}
    CudaArray(const CudaArray &) = delete;
    auto operator=(const CudaArray &) -> CudaArray & = delete;
    ~CudaArray()
    {
        if (texture_) cudaDestroyTextureObject(texture_);
        cudaFreeArray(array_);
    }
    cudaTextureObject_t texture() const;
    void upload(const std::vector<Pixel> &pixels) const
    {
        cudaMemcpy2DToArray(array_, 0, 0, pixels.data(), width_, width_, height_, cudaMemcpyHostToDevice);
    }

  private:
    cudaArray_t array_{};
    int width_, height_;
    mutable cudaTextureObject_t texture_ = 0;
};

cudaTextureObject_t CudaArray::texture() const
{
    if (texture_ != 0) return texture_;
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc description = {};
    for (auto &mode : description.addressMode) mode = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    cudaCreateTextureObject(&texture_, &resource, &description, NULL);
    return texture_;
}

struct Filter {
    virtual void apply(const CudaArray &source, Pixel *in, Pixel *out, int width, int height) const = 0;
    virtual ~Filter() = default;
    static dim3 blocks(int w, int h) { return dim3((w + 7) / 8, (h + 7) / 8); }
};

template <int Radius> struct BoxBlur : Filter {
    static_assert(Radius > 0 and Radius < 16);
    void apply(const CudaArray &source, Pixel *, Pixel *out, int width, int height) const override
    {
        box_blur<<<blocks(width, height), {8, 8}>>>(source.texture(), out, width, height, Radius);
    }
};

struct Threshold final : Filter, private ThresholdParameters {
    explicit Threshold(int at) : ThresholdParameters{at, {0}, std::numeric_limits<Pixel>::max(), BINARY} {}
    void apply(const CudaArray &, Pixel *in, Pixel *out, int w, int h) const override
    {
        const ThresholdParameters &parameters = *this;
        threshold<<<4, 256>>>((const uchar4 *)in, (uchar4 *)out, parameters, w * h / 4);
    }
};

struct Sobel final : Filter {
    void apply(const CudaArray &, Pixel *in, Pixel *out, int w, int h) const override
    {
        sobel<<<blocks(w, h), dim3(8, 8)>>>(in, reinterpret_cast<int *>(out), w, h);
    }
};

template <typename... Filters> std::vector<std::unique_ptr<Filter>> chain(Filters &&...filters)
{
    std::vector<std::unique_ptr<Filter>> made;
    (made.push_back(std::make_unique<std::decay_t<Filters>>(std::forward<Filters>(filters))), ...);
    return made;
}

int main(int argc, const char *const argv[])
{
    std::ifstream in(argc > 1 ? argv[1] : "in.pgm", std::ios_base::binary);
    std::string magic;
    int width = 64, height = 64, maximum;
    if (not(in >> magic >> width >> height >> maximum) or magic != "P5") std::cerr << "not a PGM file\n";
    std::vector<Pixel> pixels(width * height);
    in.ignore(1).read(reinterpret_cast<char *>(pixels.data()), static_cast<std::streamsize>(pixels.size()));
    CudaArray source(width, height);
    source.upload(pixels);
    Pixel *buffers[2];
    for (auto *&buffer : buffers) cudaMalloc(&buffer, width * height * sizeof(int));
    rgb_to_gray<<<width * height / 256 + 1, 256>>>((uchar4 *)buffers[0], buffers[1], width * height / 4);
    for (const auto &filter : chain(BoxBlur<2>{}, Threshold{96}, Sobel{})) {
        filter->apply(source, buffers[0], buffers[1], width, height);
        std::swap(buffers[0], buffers[1]);
    }
    return cudaDeviceSynchronize() == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
