// y = a x + y for several types, with a checking macro and vectors of the host.
#include <iostream>
#include <vector>
#include <cstdlib>
#define CHECK(call)                                                                                    \
    do {                                                                                               \
        cudaError_t status = call;                                                                     \
        if (status != cudaSuccess) { std::cerr << cudaGetErrorString(status) << std::endl; exit(1); }  \
    } while (0)
template <typename T> __global__ void axpy(int n, T a, const T *x, T *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
template <typename T> __global__ void fill(T *x, T value, size_t n)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i] = value;
}
template <typename T> double run(int n, T a)
{
    std::vector<T> x(n, T(1)), y(n, T(2));
    T *d_x = nullptr, *d_y = nullptr;
    CHECK(cudaMalloc(&d_x, n * sizeof(T)));
    CHECK(cudaMalloc(&d_y, n * sizeof(T)));
    fill<<<128, 256>>>(d_x, T(1), n);
    fill<T><<<128, 256>>>(d_y, 2, n);
    axpy<<<(n + 255) / 256, 256>>>(n, a, d_x, d_y);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(y.data(), d_y, n * sizeof(T), cudaMemcpyDeviceToHost));
    double error = 0;
    for (auto v : y) error += v - (a + 2);
    return error;
}
int main()
{
    int N = 1 << 20;
    float *x, *y;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    axpy<<<(N + 255) / 256, 256>>>(N, 2.0f, x, y);
    std::cout << run<double>(N, 3) << run(N, 5) << "\n";
    return 0;
}
