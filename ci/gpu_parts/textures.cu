// How textures round: linear filters of several kinds of texels, bytes of sRGB, and the levels that derivatives select.
//
// A line `formula: NAME: N of M` says how many results equal a formula exactly; other lines list results as multiples of a small unit.
// docs/internals/gpu-results.md says what they show.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <string>
#include <vector>

#define CHECK(call)                                                                         \
    do {                                                                                    \
        cudaError_t error = (call);                                                         \
        if (error != cudaSuccess) {                                                         \
            std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(error));              \
            std::exit(1);                                                                   \
        }                                                                                   \
    } while (0)

// Between the first two texels.
__global__ void filtered(cudaTextureObject_t texture, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1D<float>(texture, 0.5f + i / (float)n);
}

__global__ void texels(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex1D<float4>(texture, threadIdx.x + 0.5f).x;
}

__global__ void gradients(cudaTextureObject_t rows, const float2 *d, float *out)
{
    out[threadIdx.x] = tex1DGrad<float>(rows, 0.5f, d[threadIdx.x].x, d[threadIdx.x].y);
}

__global__ void gradients_2d(cudaTextureObject_t images, const float4 *d, float *out)
{
    float4 to = d[threadIdx.x];
    out[threadIdx.x] = tex2DGrad<float>(images, 0.5f, 0.5f, make_float2(to.x, to.y), make_float2(to.z, to.w));
}

__global__ void cube_gradients(cudaTextureObject_t cubes, const float4 *at, const float4 *d, float *out)
{
    float4 from = at[threadIdx.x];
    out[threadIdx.x] = texCubemapGrad<float>(cubes, from.x, from.y, from.z, d[threadIdx.x], make_float4(0, 0, 0, 0));
}

template <class T> static T *managed(size_t n)
{
    T *memory;
    CHECK(cudaMallocManaged(&memory, n * sizeof(T)));
    return memory;
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaMipmappedArray_t levels, const cudaTextureDesc &desc)
{
    cudaResourceDesc resource = {};
    cudaTextureObject_t texture = 0;
    if (levels) {
        resource.resType = cudaResourceTypeMipmappedArray;
        resource.res.mipmap.mipmap = levels;
    } else {
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
    }
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    return texture;
}

// A texture of one row.
template <class T> static cudaTextureObject_t row_of(const std::vector<T> &texels, const cudaTextureDesc &desc)
{
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    size_t bytes = texels.size() * sizeof(T);
    CHECK(cudaMallocArray(&array, &format, texels.size(), 0));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), bytes, bytes, 1, cudaMemcpyHostToDevice));
    return texture_of(array, nullptr, desc);
}

// A texture whose levels hold their own numbers.
static cudaTextureObject_t levels_of(int size, bool is_2d, bool is_cube, const cudaTextureDesc &desc)
{
    cudaMipmappedArray_t levels;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    int n = 1 + (int)std::log2(size);
    cudaExtent extent = make_cudaExtent(size, is_2d || is_cube ? size : 0, is_cube ? 6 : 0);
    CHECK(cudaMallocMipmappedArray(&levels, &format, extent, n, is_cube ? cudaArrayCubemap : 0));
    for (int level = 0; level < n; level++) {
        size_t width = size >> level, height = is_2d || is_cube ? width : 1;
        std::vector<float> numbers(width * height * 6, (float)level);
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(numbers.data(), width * 4, width, height);
        copy.extent = make_cudaExtent(width, height, is_cube ? 6 : 1);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaGetMipmappedArrayLevel(&copy.dstArray, levels, level));
        CHECK(cudaMemcpy3D(&copy));
    }
    return texture_of(nullptr, levels, desc);
}

static float *out;

// What is printed of a formula: how often it is right, and the first results for which it is not.
struct Formula {
    const char *name;
    int right = 0, all = 0;
    std::string wrong;

    void add(float found, double wanted, const char *what)
    {
        all++;
        right += found == (float)wanted;
        char text[96];
        std::snprintf(text, sizeof text, " [%s: %.9g, not %.9g]", what, found, wanted);
        if (found != (float)wanted && all - right <= 3)
            wrong += text;
    }

    void print() const { std::printf("formula: %s: %d of %d%s\n", name, right, all, wrong.c_str()); }
};

static void print(const char *name, int n, double unit)
{
    std::printf("%s", name);
    for (int i = 0; i < n; i++)
        std::printf(" %.7g", out[i] / unit);
    std::printf("\n");
}

// All pairs of some texels, at all fractions.
template <class T> static void pairs(const char *kind, const std::vector<int> &numbers, double largest, double unit, const cudaTextureDesc &desc)
{
    std::string to_unit = kind + std::string(", nearest multiple of 1/") + std::to_string((int)unit), of_exact = kind + std::string(", exact");
    Formula nearest{to_unit.c_str()}, exact{of_exact.c_str()};
    for (int a : numbers)
        for (int b : numbers) {
            cudaTextureObject_t texture = row_of(std::vector<T>{(T)a, (T)b}, desc);
            filtered<<<2, 128>>>(texture, out, 256);
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaDestroyTextureObject(texture));
            for (int i = 0; i < 256; i++) {
                double mixed = std::fmax(a / largest, -1) * ((256 - i) / 256.0) + std::fmax(b / largest, -1) * (i / 256.0);
                char what[32];
                std::snprintf(what, sizeof what, "%d %d %d/256", a, b, i);
                nearest.add(out[i], std::floor(mixed * unit + 0.5) / unit, what);
                exact.add(out[i], mixed, what);
            }
        }
    nearest.print();
    exact.print();
}

int main()
{
    out = managed<float>(65536);
    cudaTextureDesc linear = {};
    linear.addressMode[0] = linear.addressMode[1] = linear.addressMode[2] = cudaAddressModeClamp;
    linear.filterMode = cudaFilterModeLinear;
    linear.readMode = cudaReadModeNormalizedFloat;
    pairs<unsigned char>("u8", {0, 1, 2, 3, 10, 51, 77, 85, 127, 128, 129, 170, 200, 254, 255}, 255, 65535, linear);
    pairs<unsigned short>("u16", {0, 1, 2, 3, 255, 256, 1000, 32767, 32768, 40000, 65534, 65535}, 65535, 65535, linear);
    pairs<signed char>("s8", {0, 1, 2, 50, 63, 64, 126, 127, -1, -2, -64, -127, -128}, 127, 32767, linear);
    pairs<short>("s16", {0, 1, 2, 1000, 16384, 32766, 32767, -1, -2, -20000, -32767, -32768}, 32767, 32767, linear);

    std::vector<uchar4> bytes;
    for (int i = 0; i < 256; i++)
        bytes.push_back(make_uchar4(i, i, i, i));
    cudaTextureDesc srgb = linear;
    srgb.sRGB = 1;
    for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
        srgb.filterMode = filter;
        texels<<<1, 256>>>(row_of(bytes, srgb), out);
        CHECK(cudaDeviceSynchronize());
        print(filter == cudaFilterModePoint ? "sRGB, 1/65536" : "sRGB, linear filter, 1/65536", 256, 1 / 65536.0);
    }

    // The weight of the second texel.
    linear.readMode = cudaReadModeElementType;
    filtered<<<512, 128>>>(row_of(std::vector<float>{0, 1}, linear), out, 65536);
    CHECK(cudaDeviceSynchronize());
    Formula up{"weights, nearest 1/256, halves up"}, even{"weights, nearest 1/256, halves to even"}, down{"weights, rounded down to 1/256"};
    for (int i = 0; i < 65536; i++) {
        char what[16];
        std::snprintf(what, sizeof what, "%d/65536", i);
        // 0.5f plus this is exact.
        up.add(out[i], std::floor(i / 256.0 + 0.5) / 256, what);
        even.add(out[i], std::nearbyint(i / 256.0) / 256, what);
        down.add(out[i], std::floor(i / 256.0) / 256, what);
    }
    up.print();
    even.print();
    down.print();
    Formula once{"f32, rounded once"}, twice{"f32, fma(w, b, a * (1 - w))"}, step{"f32, fma(w, b - a, a)"};
    for (float a : {0.1f, -3.3f, 1e-20f, 1000.7f, 16777216.0f})
        for (float b : {0.1f, 7.77f, -1e-3f, 1e10f, 3.0f}) {
            filtered<<<2, 128>>>(row_of(std::vector<float>{a, b}, linear), out, 256);
            CHECK(cudaDeviceSynchronize());
            for (int i = 0; i < 256; i++) {
                float w = i / 256.0f;
                char what[64];
                std::snprintf(what, sizeof what, "%g %g %d/256", a, b, i);
                once.add(out[i], (double)a * (1 - w) + (double)b * w, what);
                twice.add(out[i], std::fma(w, b, a * (1 - w)), what);
                step.add(out[i], std::fma(w, b - a, a), what);
            }
        }
    once.print();
    twice.print();
    step.print();

    // In all that follows, results are levels.
    cudaTextureDesc mip = linear;
    mip.normalizedCoords = 1;
    mip.mipmapFilterMode = cudaFilterModeLinear;
    mip.maxMipmapLevelClamp = 100;
    cudaTextureObject_t rows = levels_of(1024, false, false, mip), images = levels_of(1024, true, false, mip), cubes = levels_of(64, true, true, mip);
    float2 *d = managed<float2>(1024);
    Formula log_down{"levels of one step, log2 rounded down to 1/256"}, log_near{"levels of one step, log2 to the nearest 1/256"},
        straight{"levels of one step, exponent + fraction, down to 1/256"};
    for (int octave = 0; octave < 9; octave++) {
        for (int i = 0; i < 256; i++)
            d[i] = make_float2(std::ldexp(1 + i / 256.0f, octave - 10), 0);
        gradients<<<1, 256>>>(rows, d, out);
        CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < 256; i++) {
            char what[32];
            std::snprintf(what, sizeof what, "%g texels", d[i].x * 1024);
            log_down.add(out[i], octave + std::floor(std::log2(1 + i / 256.0) * 256) / 256, what);
            log_near.add(out[i], octave + std::floor(std::log2(1 + i / 256.0) * 256 + 0.5) / 256, what);
            straight.add(out[i], octave + i / 256.0, what);
        }
        if (octave == 2) {
            for (int i = 0; i < 64; i++)
                out[i] = out[4 * i] - 2;
            print("levels of one step of 4 * (1 to 2) texels, every 1/64, less 2, 1/256", 64, 1 / 256.0);
        }
    }
    log_down.print();
    log_near.print();
    straight.print();
    for (int i = 0; i <= 32; i++)
        d[i] = make_float2(4 / 1024.0f, (i - 16) / 4096.0f);
    gradients<<<1, 33>>>(rows, d, out);
    CHECK(cudaDeviceSynchronize());
    print("levels of two steps, 4 and -4, -3.75, ... 4 texels, 1/256", 33, 1 / 256.0);
    float4 *at = managed<float4>(1024), *steps = managed<float4>(1024);
    for (int length = 4; length >= 1; length /= 2) {
        for (int i = 0; i <= 16; i++) {
            double angle = i * std::acos(-1.0) / 16, second = length / 1024.0;
            steps[i] = make_float4(4 / 1024.0f, 0, (float)(second * std::cos(angle)), (float)(second * std::sin(angle)));
        }
        gradients_2d<<<1, 17>>>(images, steps, out);
        CHECK(cudaDeviceSynchronize());
        std::printf("%d texels: ", length);
        print("levels of two steps, of 4 texels to the right and of this, turned by 0, 1/16, ... of pi, 1/256", 17, 1 / 256.0);
    }
    for (int i = 0; i <= 16; i++) {
        double angle = i * std::acos(-1.0) / 16;
        steps[i] = make_float4((float)(4 / 1024.0 * std::cos(angle)), (float)(4 / 1024.0 * std::sin(angle)), 0, 0);
    }
    gradients_2d<<<1, 17>>>(images, steps, out);
    CHECK(cudaDeviceSynchronize());
    print("levels of one step of 4 texels, turned by 0, 1/16, ... of pi, 1/256", 17, 1 / 256.0);
    const float directions[][3] = {{0, 1, 0}, {0.2f, 1, 0}, {0.5f, 1, 0}, {0.9f, 1, 0}, {0.2f, 1, 0.2f}, {0.5f, 1, 0.5f}, {1, 5, 1}};
    for (auto &to : directions) {
        int n = 0;
        for (float length : {0.125f, 0.25f, 0.375f, 2.0f})
            for (int axis = 0; axis < 3; axis++, n++) {
                float step = length * to[1];
                at[n] = make_float4(to[0], to[1], to[2], 0);
                steps[n] = make_float4(axis == 0 ? step : 0, axis == 1 ? step : 0, axis == 2 ? step : 0, 0);
            }
        cube_gradients<<<1, n>>>(cubes, at, steps, out);
        CHECK(cudaDeviceSynchronize());
        std::printf("(%g, %g, %g): ", to[0], to[1], to[2]);
        print("levels in cubes of 64 texels, steps of 1/8, 1/4, 3/8, 2 of y along x, y, z each, 1/256", n, 1 / 256.0);
    }
    return 0;
}
