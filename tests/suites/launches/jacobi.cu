// Iterative solver: function pointers to kernels, cooperative launches by address, arguments in arrays.
#include <cstdio>
#include <vector>
template <int THREADS> __global__ void jacobi(const float *A, const double *b, double *x, double *x_new, int n, double *norm)
{
    __shared__ double sums[THREADS];
    double sum = 0;
    for (int j = threadIdx.x; j < n; j += THREADS) sum += A[blockIdx.x * n + j] * x[j];
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) { x_new[blockIdx.x] = x[blockIdx.x] + b[blockIdx.x] - sums[0]; atomicAdd(norm, sums[0]); }
}
template <typename T> __global__ void copy_back(T *to, const T *from, int n) { if (threadIdx.x < n) to[threadIdx.x] = from[threadIdx.x]; }
typedef void (*JacobiKernel)(const float *, const double *, double *, double *, int, double *);
struct Launch { JacobiKernel kernel; int threads; };
static const Launch launches[] = {{jacobi<64>, 64}, {jacobi<128>, 128}, {&jacobi<256>, 256}};
double solve(const float *A, const double *b, double *x, int n, int iterations)
{
    double *x_new, *d_norm, sum = 0;
    cudaMalloc(&x_new, sizeof(double) * n);
    for (int k = 0; k < iterations; k++) {
        const Launch &l = launches[k % 3];
        l.kernel<<<n, l.threads>>>(A, b, x, x_new, n, d_norm);
        copy_back<<<1, n>>>(x, x_new, n);
    }
    void *args[] = {&A, &b, &x, &x_new, &n, &d_norm};
    cudaLaunchCooperativeKernel((void *)jacobi<512>, n, 512, args, 0, 0);
    int *counter = (int *)x_new;
    copy_back<<<1, 1>>>(counter, (const int *)x, 1);
    return sum;
}
