#include <cuda_fp16.h>
struct Quantized { __half scale; signed char values[18]; };
