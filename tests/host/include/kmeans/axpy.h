// Included once for each type: makes `axpy_TYPE` and a function of the host that launches it. No guard on purpose.
#ifndef REAL
#error "REAL is not defined"
#endif
#define NAME_(a, b) a##_##b
#define NAME(a, b) NAME_(a, b)

__global__ void NAME(axpy, REAL)(REAL a, const REAL *__restrict__ x, REAL *__restrict__ y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}

static cudaError_t NAME(launch_axpy, REAL)(REAL a, const REAL *x, REAL *y, int n, cudaStream_t stream = 0)
{
    NAME(axpy, REAL)<<<(n + 127) / 128, 128, 0, stream>>>(a, x, y, n);
    return cudaGetLastError();
}

#undef NAME
#undef NAME_
#undef REAL
