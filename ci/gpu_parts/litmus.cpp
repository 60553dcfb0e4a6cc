// The host's part of litmus.src: launches its kernels, and counts what comes out.
//
//     litmus CUBIN LAUNCHES < TABLE
//
// A line of TABLE has a kernel's name, its number of roles, where they are (block, cluster, apart), and whether the last values of x and y
// count, 0 or 1. A line of output has the name and
// the outcomes, `r0,r1,r2,r3,x,y:count` each.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <vector>

static const int THREADS = 128, ROUNDS = 64;

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
    CUdevice device;
    CUcontext context;
    CUmodule module;
    int n_processors = 0;
    if (n_args != 3)
        return 2;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check(cuDeviceGetAttribute(&n_processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device), "attribute");
    check(cuModuleLoad(&module, args[1]), "cuModuleLoad");
    char name[64], place[16];
    int n_roles, has_finals;
    while (std::scanf("%63s %d %15s %d", name, &n_roles, place, &has_finals) == 4) {
        const bool is_block = !std::strcmp(place, "block"), is_cluster = !std::strcmp(place, "cluster");
        const int n_threads = is_block ? THREADS * n_roles : THREADS, n_blocks = is_block ? 1 : n_roles;
        const int n_groups = n_processors * 2 / n_blocks;
        const size_t n = size_t(n_groups) * ROUNDS * THREADS;
        CUfunction kernel;
        check(cuModuleGetFunction(&kernel, module, name), name);
        std::vector<unsigned long long> counts(1 << 18); // three bits for each of six values
        for (int launch = 0; launch < std::atoi(args[2]); ++launch) {
            int stride = launch % 2 ? 8 : 1, rounds = ROUNDS;
            CUdeviceptr variables[3], results, turns;
            for (CUdeviceptr &variable : variables) {
                check(cuMemAlloc(&variable, n * stride * 4), "cuMemAlloc");
                check(cuMemsetD32(variable, 0, n * stride), "cuMemsetD32");
            }
            check(cuMemAlloc(&results, n * 16), "cuMemAlloc");
            check(cuMemsetD32(results, 0, n * 4), "cuMemsetD32");
            check(cuMemAlloc(&turns, size_t(n_groups) * ROUNDS * 4), "cuMemAlloc");
            check(cuMemsetD32(turns, 0, size_t(n_groups) * ROUNDS), "cuMemsetD32");
            void *params[] = {&variables[0], &variables[1], &variables[2], &results, &turns, &rounds, &stride};
            // All blocks must run at once: they wait for one another.
            check(is_cluster ? cuLaunchKernel(kernel, n_groups * n_blocks, 1, 1, n_threads, 1, 1, 0, nullptr, params, nullptr)
                             : cuLaunchCooperativeKernel(kernel, n_groups * n_blocks, 1, 1, n_threads, 1, 1, 0, nullptr, params),
                  name);
            check(cuCtxSynchronize(), name);
            std::vector<int> r(n * 4), x(n * stride), y(n * stride);
            check(cuMemcpyDtoH(r.data(), results, n * 16), "cuMemcpyDtoH");
            if (has_finals) {
                check(cuMemcpyDtoH(x.data(), variables[0], n * stride * 4), "cuMemcpyDtoH");
                check(cuMemcpyDtoH(y.data(), variables[1], n * stride * 4), "cuMemcpyDtoH");
            }
            for (size_t i = 0; i < n; ++i) {
                const int values[6] = {r[4 * i], r[4 * i + 1], r[4 * i + 2], r[4 * i + 3], x[i * stride], y[i * stride]};
                int key = 0;
                for (int value : values)
                    key = key << 3 | (value & 7);
                ++counts[key];
            }
            for (CUdeviceptr variable : {variables[0], variables[1], variables[2], results, turns})
                check(cuMemFree(variable), "cuMemFree");
        }
        std::printf("%s", name);
        for (size_t key = 0; key < counts.size(); ++key) {
            if (counts[key] == 0)
                continue;
            std::printf(" ");
            for (int i = 5; i >= 0; --i)
                std::printf("%d%s", int(key >> 3 * i & 7), i ? "," : ":");
            std::printf("%llu", counts[key]);
        }
        std::printf("\n");
        std::fflush(stdout);
    }
    return 0;
}
