/* Types of CUDA's driver that kernels meet. Its functions are the host's. */
#pragma once
#include <stdint.h>
#include <driver_types.h>

#define CUDA_VERSION 13050
#define CUDAAPI
#define CUDA_CB

typedef int CUdevice;
#ifdef __LP64__
typedef unsigned long long CUdeviceptr;
#else
typedef unsigned int CUdeviceptr;
#endif
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUarray_st *CUarray;
typedef struct CUevent_st *CUevent;
typedef struct CUstream_st *CUstream;

/* What the tensor memory accelerator reads; kernels get one as a `const __grid_constant__` parameter. */
typedef struct alignas(128) CUtensorMap_st {
    uint64_t opaque[16];
} CUtensorMap;
