// Launches one kernel of a cubin with buffers and numbers.
//
//     host CUBIN KERNEL GRID BLOCK ARGUMENT...
//
// An argument is a number of 32 bits, or `BYTES*` for a buffer of zeros.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <vector>

static void check(CUresult result, const char *what)
{
    if (result == CUDA_SUCCESS)
        return;
    const char *name = "";
    cuGetErrorName(result, &name);
    std::printf("%s: %s\n", what, name);
    std::exit(1);
}

int main(int n_args, char **args)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    if (n_args < 5)
        return 2;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check(cuModuleLoad(&module, args[1]), args[1]);
    check(cuModuleGetFunction(&kernel, module, args[2]), args[2]);
    std::vector<CUdeviceptr> values(n_args - 5);
    std::vector<void *> params;
    for (int i = 5; i < n_args; ++i) {
        CUdeviceptr &value = values[i - 5];
        value = std::strtoull(args[i], nullptr, 0);
        if (std::strchr(args[i], '*')) {
            const size_t size = value;
            check(cuMemAlloc(&value, size), "cuMemAlloc");
            check(cuMemsetD8(value, 0, size), "cuMemsetD8");
        }
        params.push_back(&value);
    }
    check(cuLaunchKernel(kernel, std::atoi(args[3]), 1, 1, std::atoi(args[4]), 1, 1, 0, nullptr, params.data(), nullptr), "launch");
    check(cuCtxSynchronize(), "run");
    std::printf("done\n");
    return 0;
}
