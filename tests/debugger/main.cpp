// The host's part: loads the cubin that is named, and starts the kernel in it with four threads.
#include <cstdio>
#include <cuda.h>

struct Pair {
    int first;
    float second;
    unsigned flags; // low 5, middle 9, high 1000
};

static bool works(CUresult result)
{
    const char *name = "";
    if (result != CUDA_SUCCESS) {
        cuGetErrorName(result, &name);
        std::printf("%s\n", name);
    }
    return result == CUDA_SUCCESS;
}

int main(int, char **args)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr out;
    int n = 3, found[4] = {};
    Pair given = {7, 0.25f, 5u | 9u << 3 | 1000u << 8};
    void *params[] = {&out, &n, &given};
    if (!works(cuInit(0)) || !works(cuDeviceGet(&device, 0)) || !works(cuDevicePrimaryCtxRetain(&context, device)) ||
        !works(cuCtxSetCurrent(context)) || !works(cuModuleLoad(&module, args[1])) ||
        !works(cuModuleGetFunction(&kernel, module, "kernel")) || !works(cuMemAlloc(&out, sizeof found)) ||
        !works(cuLaunchKernel(kernel, 1, 1, 1, 4, 1, 1, 0, nullptr, params, nullptr)) ||
        !works(cuMemcpyDtoH(found, out, sizeof found)))
        return 2;
    std::printf("found %d %d %d %d\n", found[0], found[1], found[2], found[3]);
    return 0;
}
