// Parboil's style: a saturating histogram in shared memory, two phases, printf and assert in kernels, unions, device globals.
//@ launch: histo_prescan grid=2 block=64
//@ arg: input=u32[200]=random(1, 0, 1000)
//@ arg: 200
//@ arg: minmax=u32={4294967295, 0}
//@ read: n_samples
//@ launch: histo_main grid=3 block=32 shared=256
//@ arg: sample=u32[200]=random(2, 0, 64)
//@ arg: 200
//@ arg: global_histo=u32[64]=zeros
//@ arg: 64
//@ launch: histo_final grid=1 block=64
//@ arg: global_histo=u32={0, 1, 2, 254, 255, 256, 100000, 7}
//@ arg: 8
//@ arg: final_histo=u8[8]
//@ expect: final_histo={0, 1, 2, 254, 255, 255, 255, 7}
//@ launch: histo_report grid=1 block=2
//@ arg: u32={3, 250, 8, 16909060}
//@ arg: 2
//@ printed: bin 0: 3 (0x3, low byte 3)
//@ printed: bin 3: 16909060 (0x1020304, low byte 4)
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define UINT32_MAX_ 4294967295u
#define UINT8_MAXIMUM 255
#define CUERR_(line)                                                              \
    if ((err = cudaGetLastError()) != cudaSuccess) {                              \
        fprintf(stderr, "CUDA error: %s, line %d\n", cudaGetErrorString(err), line); \
        return -1;                                                                \
    }
#define CUERR CUERR_(__LINE__)

typedef union {
    uint32_t word;
    uint8_t bytes[4];
    struct {
        uint16_t low;
        uint16_t high;
    } halves;
} packed_bins;

typedef struct bmp_header {
    uint8_t magic[2];
    uint32_t filesz;
    uint16_t creator1, creator2;
    uint32_t bmp_offset;
} __attribute__((packed)) bmp_header;

static_assert(sizeof(bmp_header) == 14, "as in the file");

static __device__ unsigned int overflows;
__device__ unsigned n_samples = 0;
static unsigned sum_of_bins;

__global__ void histo_prescan(const unsigned int *input, int size, unsigned int *minmax)
{
    __shared__ unsigned lo[64], hi[64];
    unsigned l = UINT32_MAX_, h = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
        l = min(l, input[i]);
        h = max(h, input[i]);
    }
    lo[threadIdx.x] = l;
    hi[threadIdx.x] = h;
    __syncthreads();
#define SUM(stride__)                                                          \
    if (threadIdx.x < stride__) {                                              \
        if (lo[threadIdx.x] > lo[threadIdx.x + stride__]) lo[threadIdx.x] = lo[threadIdx.x + stride__]; \
        if (hi[threadIdx.x] < hi[threadIdx.x + stride__]) hi[threadIdx.x] = hi[threadIdx.x + stride__]; \
    }                                                                          \
    __syncthreads();
    SUM(32) SUM(16) SUM(8) SUM(4) SUM(2) SUM(1)
#undef SUM
    if (threadIdx.x == 0) {
        atomicMin(minmax, lo[0]);
        atomicMax(minmax + 1, hi[0]);
        atomicAdd(&n_samples, blockIdx.x == 0 ? size : 0);
    }
}

__global__ void histo_main(const unsigned int *sample, int size, unsigned int *global_histo, int n_bins)
{
    extern __shared__ unsigned int sub_histo[];
    for (int i = threadIdx.x; i < n_bins; i += blockDim.x) sub_histo[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += blockDim.x * gridDim.x) {
        assert(sample[i] < n_bins);
        if (atomicInc(&sub_histo[sample[i]], UINT8_MAXIMUM) == UINT8_MAXIMUM) atomicAdd(&overflows, 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n_bins; i += blockDim.x)
        if (sub_histo[i]) atomicAdd(global_histo + i, sub_histo[i]);
}

__global__ void histo_final(const unsigned int *global_histo, int n_bins, unsigned char *final_histo)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_bins) return;
    unsigned bin = global_histo[i];
    final_histo[i] = bin > UINT8_MAXIMUM ? UINT8_MAXIMUM : bin;
}

__global__ void histo_report(const unsigned int *histo, int n)
{
    packed_bins packed;
    unsigned at = threadIdx.x * (n + 1);
    packed.word = histo[at];
    assert(packed.halves.low % 256 == packed.bytes[0]);
    if (threadIdx.x == 0) printf("bin %u: %u (0x%x, low byte %d)\n", at, packed.word, packed.word, packed.bytes[0]);
    __syncwarp();
    if (threadIdx.x == 1) printf("bin %u: %u (0x%x, low byte %d)\n", at, packed.word, packed.word, packed.bytes[0]);
}

extern "C" {
static void dump_histo_img(unsigned char *histo, unsigned int height, unsigned int width, const char *filename)
{
    bmp_header header = {{'B', 'M'}, 0, 0, 0, 54};
    FILE *file = fopen(filename, "wb");
    header.filesz = sizeof(bmp_header) + 3 * height * width;
    fwrite(&header, sizeof header, 1, file);
    for (unsigned int y = 0; y < height; ++y)
        for (unsigned int x = 0; x < width; ++x) {
            unsigned char value = histo[y * width + x], rgb[] = {value, value, static_cast<unsigned char>(255 - value)};
            fwrite(rgb, 1, sizeof(rgb), file);
        }
    fclose(file);
}
}

int main(int argc, char *argv[])
{
    cudaError_t err;
    unsigned int img_width = 0, img_height = 0, histo_width = 64, histo_height = 1, *img, *d_img, *d_histo, *d_minmax;
    unsigned int zero = 0, outside;
    unsigned char *h_final = (unsigned char *)calloc(histo_width, histo_height), *d_final;
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : stdin;
    int result = 0;

    result += fread(&img_width, sizeof(unsigned int), 1, f);
    result += fread(&img_height, sizeof(unsigned int), 1, f);
    if (result != 2) {
        fputs("Error reading input and output dimensions from file\n", stderr);
        return -1;
    }
    img = (unsigned int *)malloc(img_width * img_height * sizeof(unsigned int));
    result = fread(img, sizeof(unsigned int), img_width * img_height, f);
    fclose(f);
    cudaMalloc((void **)&d_img, result * sizeof *d_img);
    cudaMalloc((void **)&d_histo, histo_width * histo_height * sizeof(unsigned int));
    cudaMalloc((void **)&d_minmax, 2 * sizeof(unsigned int));
    cudaMalloc((void **)&d_final, histo_width * histo_height);
    cudaMemset(d_histo, 0, histo_width * histo_height * sizeof(unsigned int));
    cudaMemcpyToSymbol(overflows, &zero, sizeof zero);
    CUERR
    histo_prescan<<<64, 64>>>(d_img, result, d_minmax);
    histo_main<<<dim3(28), dim3(32), sizeof(unsigned) * histo_width>>>(d_img, result, d_histo, histo_width);
    histo_final<<<1, histo_width>>>(d_histo, histo_width, d_final);
    if (getenv("HISTO_VERBOSE") != NULL) histo_report<<<1, 2>>>(d_histo, 2);
    CUERR
    cudaMemcpyFromSymbol(&outside, overflows, sizeof outside, 0, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_final, d_final, histo_width * histo_height, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < histo_width; ++i) sum_of_bins += h_final[i];
    dump_histo_img(h_final, histo_height, histo_width, "histo.bmp");
    return (sum_of_bins + outside) == 0;
}
