// Compares what two compilers made of functions, result by result, on a GPU.
//
//     compare CUBIN CUBIN < TABLE
//
// A line of TABLE has a kernel's name and how many results it is asked for; the kernel writes 64 bits for each, from the number of the
// first on. A line of output has the name, how many results there were, how many differ, and for the first of these its number and
// both results.
#include <cstdio>
#include <cstdlib>
#include <cuda.h>

typedef unsigned long long Word;

static const Word CHUNK = 1 << 26;

// Counts the differences into found[0], and keeps the number of the least in found[1].
__global__ void differ(const Word *a, const Word *b, Word first, Word n, Word *found)
{
    const Word i = blockIdx.x * (Word)blockDim.x + threadIdx.x;
    if (i < n && a[i] != b[i]) {
        atomicAdd(found, 1);
        atomicMin(found + 1, first + i);
    }
}

static void check(CUresult result, const char *what)
{
    if (result == CUDA_SUCCESS)
        return;
    const char *name = "";
    cuGetErrorName(result, &name);
    std::fprintf(stderr, "%s: %s\n", what, name);
    std::exit(2);
}

int main(int n_args, char **args)
{
    CUmodule modules[2];
    Word *found, *results[2];
    if (n_args != 3)
        return 2;
    cudaFree(nullptr); // makes the context
    for (int i = 0; i < 2; ++i) {
        check(cuModuleLoad(&modules[i], args[i + 1]), args[i + 1]);
        if (cudaMalloc(&results[i], CHUNK * sizeof(Word)))
            return 2;
    }
    cudaMallocManaged(&found, 2 * sizeof(Word));
    char name[64];
    Word n;
    while (std::scanf("%63s %llu", name, &n) == 2) {
        CUfunction functions[2];
        for (int i = 0; i < 2; ++i)
            check(cuModuleGetFunction(&functions[i], modules[i], name), name);
        found[0] = 0;
        found[1] = ~0ull;
        for (Word first = 0; first < n; first += CHUNK) {
            const Word count = n - first < CHUNK ? n - first : CHUNK;
            for (int i = 0; i < 2; ++i) {
                void *params[] = {&first, &results[i]};
                check(cuLaunchKernel(functions[i], count / 256, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr), name);
            }
            differ<<<count / 256, 256>>>(results[0], results[1], first, count, found);
        }
        check(cuCtxSynchronize(), name);
        Word first = found[1], both[2] = {0, 0};
        std::printf("%s %llu %llu", name, n, found[0]);
        if (found[0] != 0) {
            for (int i = 0; i < 2; ++i) {
                Word start = first / 256 * 256;
                void *params[] = {&start, &results[i]};
                check(cuLaunchKernel(functions[i], 1, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr), name);
                cudaMemcpy(&both[i], results[i] + first % 256, sizeof(Word), cudaMemcpyDeviceToHost);
            }
            std::printf(" %llx %llx %llx", first, both[0], both[1]);
        }
        std::printf("\n");
        std::fflush(stdout);
    }
    return 0;
}
