/* CUDA's built-ins. The compiler knows them by itself; so nvcc does, which includes this file unasked. */
#pragma once
#include <cuda_device_runtime_api.h>
#include <device_types.h>
#include <driver_types.h>

#define CUDART_VERSION 13050
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDART_DEVICE __device__
