// Image convolution: filters in constant memory, cudaMemcpyToSymbol, an image class of the host, a table of filters.
//@ launch: convolve grid=2,2 block=16,16
//@ arg: in=u8[3,20,18]=random(41)
//@ arg: out=u8[3,20,18]
//@ arg: 18
//@ arg: 20
//@ arg: 3
//@ set: filter=f32={0.0625, 0.125, 0.0625, 0, 0, 0.125, 0.25, 0.125, 0, 0, 0.0625, 0.125, 0.0625, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
//@ set: filter_size=3
//@ launch: convolve grid=1,1 block=8,8
//@ arg: in=u8[3,4]={10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120}
//@ arg: out=u8[3,4]
//@ arg: 4
//@ arg: 3
//@ arg: 1
//@ set: filter=f32={2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
//@ set: filter_size=1
//@ expect: out={20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 220, 240}
//@ launch: gray grid=1 block=32
//@ arg: in=u8[30,3]=random(42)
//@ arg: out=u8[30]
//@ arg: 30
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <device_launch_parameters.h>

#define MAX_FILTER 5
typedef unsigned char uchar;

__constant__ float filter[MAX_FILTER][MAX_FILTER];
__constant__ int filter_size = 3;
__constant__ float luminance[] = {0.299f, 0.587f, 0.114f};

static inline __device__ int clamped(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

__global__ void convolve(const uchar *in, uchar *out, int width, int height, int channels)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const int radius = filter_size / 2;
    for (int channel = 0; channel < channels; ++channel) {
        const uchar *plane = in + channel * width * height;
        float sum = 0.f;
        for (int dy = -radius; dy <= radius; ++dy)
            for (int dx = -radius; dx <= radius; ++dx) {
                const int from_x = clamped(x + dx, 0, width - 1), from_y = clamped(y + dy, 0, height - 1);
                sum += filter[dy + radius][dx + radius] * plane[from_y * width + from_x];
            }
        out[(channel * height + y) * width + x] = (uchar)clamped(__float2int_rn(sum), 0, 255);
    }
}

__global__ void gray(const uchar3 *in, uchar *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uchar3 pixel = in[i];
        out[i] = uchar(luminance[0] * pixel.x + luminance[1] * pixel.y + luminance[2] * pixel.z + 0.5f);
    }
}

class Image {
  public:
    Image() = default;
    Image(int width, int height, int channels = 3)
        : width_(width), height_(height), channels_(channels), pixels_(std::size_t(width) * height * channels)
    {
    }
    uchar &at(int x, int y, int c) { return pixels_[(c * height_ + y) * width_ + x]; }
    const uchar &at(int x, int y, int c) const { return const_cast<Image *>(this)->at(x, y, c); }
    int width() const { return width_; }
    int height() const { return height_; }
    int channels() const { return channels_; }
    std::size_t size() const noexcept { return pixels_.size(); }
    uchar *data() { return pixels_.data(); }
    static Image checkerboard(int size, int cell);

  private:
    int width_ = 0, height_ = 0, channels_ = 0;
    std::vector<uchar> pixels_;
};

Image Image::checkerboard(int size, int cell)
{
    Image image(size, size);
    for (int c = 0; c < image.channels(); ++c)
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x)
                image.at(x, y, c) = (x / cell + y / cell) % 2 ? 0xFF : 0x20 * c;
    return image;
}

struct Filter {
    int size;
    std::array<float, MAX_FILTER * MAX_FILTER> weights;
};

static const std::map<std::string, Filter> filters = {
    {"identity", {1, {1}}},
    {"sharpen", {3, {0, -1, 0, 0, 0, -1, 5, -1, 0, 0, 0, -1}}},
    {"edges", {3, {{-1, -1, -1, 0, 0, -1, 8, -1, 0, 0, -1, -1, -1}}}},
};

static void apply(const Filter &chosen, Image &image)
{
    uchar *in = NULL, *out = NULL;
    cudaMalloc((void **)&in, image.size());
    cudaMalloc((void **)&out, image.size());
    cudaMemcpy(in, image.data(), image.size(), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(filter, chosen.weights.data(), sizeof(filter));
    cudaMemcpyToSymbol(filter_size, &chosen.size, sizeof(int), 0, cudaMemcpyHostToDevice);
    const dim3 block(16, 16, 1);
    const dim3 grid((image.width() + 15) / 16, (image.height() + 15) / 16, 1);
    convolve<<<grid, block>>>(in, out, image.width(), image.height(), image.channels());
    gray<<<(image.width() * image.height() + 127) / 128, 128>>>((const uchar3 *)in, out, image.width() * image.height());
    cudaMemcpy(image.data(), out, image.size(), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
}

int main(int argc, char *argv[])
{
    const std::string name{argc > 1 ? argv[1] : "sharpen"};
    const auto found = filters.find(name);
    if (found == filters.end()) {
        for (const auto &[known, chosen] : filters)
            printf("%-10s %dx%d\n", known.c_str(), chosen.size, chosen.size);
        return EXIT_FAILURE;
    }
    Image image = Image::checkerboard(256, 8);
    apply(found->second, image);
    printf("%s: %s\n", found->first.c_str(), cudaGetErrorString(cudaGetLastError()));
    return EXIT_SUCCESS;
}
