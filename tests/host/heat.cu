// The heat equation in two dimensions: options of the command line, a struct of parameters with defaults, a file of pixels.
//@ launch: step grid=2,3 block=16,8
//@ arg: from=f32[20,30]=random(21, 0, 100)
//@ arg: to=f32[20,30]
//@ arg: {30, 20, f32:0.2, f32:1, 1}
//@ launch: step grid=1,1 block=8,8
//@ arg: from=f32[4,5]={0, 0, 0, 0, 0, 0, 8, 4, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0}
//@ arg: to=f32[4,5]
//@ arg: {5, 4, f32:0.25, f32:1, 1}
//@ expect: to={0, 0, 0, 0, 0, 0, 1, 6, 1, 0, 0, 6, 1, 4, 0, 0, 0, 0, 0, 0}
//@ launch: set_sources grid=1 block=64
//@ arg: field=f32[20,30]=zeros
//@ arg: {30, 20, f32:0.2, f32:1, 1}
//@ arg: sources=u8={1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0x80, 0x3f, 4, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0x80, 0xbf}
//@ arg: 2
//@ launch: difference grid=2 block=32
//@ arg: a=f32[60]=random(22)
//@ arg: b=f32[60]=random(23)
//@ arg: 60
//@ arg: largest=u32={0}
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static const int BLOCK_X = 16, BLOCK_Y = 8;
#define AT(p, x, y) ((p)[(y) * options.width + (x)])

enum Boundary { BOUNDARY_COPY, BOUNDARY_FIXED = 1 };

struct Options {
    int width = 256;
    int height = 256;
    float diffusion = 0.2f;
    float dx = 1.0f;
    enum Boundary boundary = BOUNDARY_FIXED;
};

struct Source {
    int x, y;
    float temperature;
    bool operator<(const Source &other) const { return temperature < other.temperature; }
};

struct CommandLine {
    Options options;
    int steps{1000};
    std::string output = "heat.pgm";
    std::vector<Source> sources;

    static void usage(const char *program, int status);
    CommandLine(int argc, char *argv[]);
};

void CommandLine::usage(const char *program, int status)
{
    std::fprintf(status ? stderr : stdout,
                 "usage: %s [-w WIDTH] [-h HEIGHT] [-n STEPS] [-o FILE] [X,Y,TEMPERATURE]...\n"
                 "\t-n STEPS\t\"0\" only writes the start\n",
                 program);
    std::exit(status);
}

CommandLine::CommandLine(int argc, char *argv[])
{
    for (int i = 1; i < argc; ++i) {
        const char *arg = argv[i];
        Source source;
        if (std::sscanf(arg, "%d,%d,%f", &source.x, &source.y, &source.temperature) == 3) {
            sources.push_back(source);
            continue;
        }
        if (!std::strcmp(arg, "--help")) usage(argv[0], 0);
        if (arg[0] != '-' || std::strlen(arg) != 2 || i + 1 == argc) usage(argv[0], 2);
        switch (const char *value = argv[++i]; arg[1]) {
        case 'w': options.width = std::atoi(value); break;
        case 'h': options.height = std::atoi(value); break;
        case 'n': steps = std::strtol(value, nullptr, 10); break;
        case 'o': output = value; break;
        default: usage(argv[0], 2);
        }
    }
    if (sources.empty())
        sources = {{options.width / 2, options.height / 2, 100.0f}, {1, 1, 50.0f}};
}

__global__ void step(const float *__restrict__ from, float *__restrict__ to, const Options options)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= options.width || y >= options.height)
        return;
    const bool inside = x > 0 && y > 0 && x < options.width - 1 && y < options.height - 1;
    if (!inside) {
        AT(to, x, y) = options.boundary == BOUNDARY_FIXED ? 0.0f : AT(from, x, y);
        return;
    }
    const float center = AT(from, x, y);
    const float laplacian = (AT(from, x - 1, y) + AT(from, x + 1, y) + AT(from, x, y - 1) + AT(from, x, y + 1) - 4.0f * center) /
                            (options.dx * options.dx);
    AT(to, x, y) = center + options.diffusion * laplacian;
}

__global__ void set_sources(float *field, Options options, const Source *sources, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        AT(field, sources[i].x, sources[i].y) = sources[i].temperature;
}

__global__ void difference(const float *a, const float *b, int n, unsigned int *largest)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMax(largest, __float_as_uint(fabsf(a[i] - b[i])));
}

static bool write_image(const std::string &name, const std::vector<float> &field, const Options &options)
{
    FILE *file = std::fopen(name.c_str(), "wb");
    if (!file)
        return false;
    std::fprintf(file, "P5\n%d %d\n%d\n", options.width, options.height, 255);
    for (float t : field) {
        const float clamped = t < 0 ? 0 : t > 100 ? 100 : t;
        std::fputc(static_cast<unsigned char>(2.55f * clamped), file);
    }
    return std::fclose(file) == 0;
}

int main(int argc, char *argv[])
{
    const CommandLine line(argc, argv);
    const Options &options = line.options;
    const size_t n = size_t(options.width) * options.height;
    float *field[2] = {};
    Source *sources = nullptr;
    unsigned *largest;
    for (auto &pointer : field)
        cudaMalloc(&pointer, n * sizeof *pointer);
    cudaMalloc(&sources, line.sources.size() * sizeof(Source));
    cudaMallocManaged(&largest, sizeof(unsigned));
    cudaMemset(field[0], 0, n * sizeof(float));
    cudaMemcpy(sources, line.sources.data(), line.sources.size() * sizeof(Source), cudaMemcpyHostToDevice);
    const dim3 block(BLOCK_X, BLOCK_Y);
    const dim3 grid((options.width + block.x - 1) / block.x, (options.height + block.y - 1) / block.y);
    for (int i = 0; i < line.steps; ++i) {
        set_sources<<<1, 64>>>(field[i & 1], options, sources, int(line.sources.size()));
        step<<<grid, block>>>(field[i & 1], field[~i & 1], options);
    }
    *largest = 0;
    difference<<<(n + 255) / 256, 256>>>(field[0], field[1], n, largest);
    if (auto error = cudaDeviceSynchronize(); error != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", argv[0], cudaGetErrorString(error));
        return 1;
    }
    std::vector<float> result(n);
    cudaMemcpy(result.data(), field[line.steps & 1], n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("last change: %#x\n", *largest);
    return write_image(line.output, result, options) ? 0 : 1;
}
