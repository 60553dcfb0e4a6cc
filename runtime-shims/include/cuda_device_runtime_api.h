/* What the device has of CUDA's runtime besides the compiler's built-ins: cooperative groups in C style. The
   functions are those of libcudadevrt, which nvlink finds with -lcudadevrt. */
#pragma once
#include <driver_types.h>

enum cudaCGScope {
    cudaCGScopeInvalid = 0,
    cudaCGScopeGrid = 1,
    cudaCGScopeReserved = 2,
};

/* A handle of a group, 0 where the kernel was not launched as a cooperative one. */
extern "C" __device__ unsigned long long cudaCGGetIntrinsicHandle(enum cudaCGScope scope);
extern "C" __device__ cudaError_t cudaCGSynchronize(unsigned long long handle, unsigned int flags);
extern "C" __device__ cudaError_t cudaCGSynchronizeGrid(unsigned long long handle, unsigned int flags);
extern "C" __device__ cudaError_t cudaCGGetSize(unsigned int *numThreads, unsigned int *numGrids, unsigned long long handle);
extern "C" __device__ cudaError_t cudaCGGetRank(unsigned int *threadRank, unsigned int *gridRank, unsigned long long handle);
extern "C" __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
