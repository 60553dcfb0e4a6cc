// An owning buffer as a class template of the host: its methods launch kernels with the class's argument.
// unknown: 23
// unknown: 27
// not made: _Z10sum_kernelIfEvPKT_PS0_m
// not made: _Z11fill_kernelIiEvPT_S0_m
#include <cstddef>
#include <vector>
template <typename T> __global__ void fill_kernel(T *p, T value, size_t n)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = value;
}
template <typename T> __global__ void sum_kernel(const T *p, T *out, size_t n) { for (size_t i = 0; i < n; i++) *out += p[i]; }
template <typename T> class DeviceVector {
    T *data_ = nullptr;
    size_t size_ = 0;
public:
    explicit DeviceVector(size_t n) : size_(n) { cudaMalloc(&data_, n * sizeof(T)); }
    ~DeviceVector() { cudaFree(data_); }
    void fill(T value)
    {
        const int block = 256;
        fill_kernel<T><<<(size_ + block - 1) / block, block>>>(data_, value, size_);
    }
    void sum(T *out) const
    {
        sum_kernel<<<1, 1>>>(data_, out, size_);
    }
    T *get() { return data_; }
};
int main()
{
    DeviceVector<float> a(100);
    DeviceVector<int> b(200);
    a.fill(1.0f);
    b.fill(2);
    float *out = nullptr;
    a.sum(out);
    fill_kernel<unsigned char><<<1, 1>>>(nullptr, 0, 0);
    fill_kernel<<<1, 1>>>(out, 3.0f, size_t(1));
}
