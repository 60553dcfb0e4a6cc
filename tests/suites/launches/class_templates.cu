// Kernels templated on class templates, and with parameters of them: written arguments, deduced ones, through a function template.
#include <cstdio>
#include <vector>
template <typename T, int N> struct Vec { T v[N]; __device__ __host__ T &operator[](int i) { return v[i]; } __host__ __device__ T dot(const Vec &o) const { T s = 0; for (int i = 0; i < N; i++) s += v[i] * o.v[i]; return s; } };
template <typename T> struct Sum { __device__ T operator()(T a, T b) const { return a + b; } static __device__ T identity() { return T(0); } };
template <typename T> struct Max { __device__ T operator()(T a, T b) const { return a > b ? a : b; } static __device__ T identity() { return T(-1000); } };
template <typename T, typename Op, int BLOCK> struct BlockReduce {
    struct Storage { T data[BLOCK]; };
    Storage &storage;
    __device__ T reduce(T value, Op op)
    {
        int t = threadIdx.x;
        storage.data[t] = value;
        __syncthreads();
        for (int s = BLOCK / 2; s > 0; s >>= 1) {
            if (t < s) storage.data[t] = op(storage.data[t], storage.data[t + s]);
            __syncthreads();
        }
        return storage.data[0];
    }
};
template <typename T, typename Op, int BLOCK> __global__ void reduce(const T *in, T *out, int n)
{
    typedef BlockReduce<T, Op, BLOCK> Reduce;
    __shared__ typename Reduce::Storage storage;
    T value = Op::identity();
    Op op;
    for (int i = threadIdx.x; i < n; i += BLOCK) value = op(value, in[i]);
    value = Reduce{storage}.reduce(value, op);
    if (threadIdx.x == 0) *out = value;
}
template <typename V> __global__ void kdot(V a, V b, float *out) { *out = a.dot(b); }
template <typename T, int N> __global__ void kvec(Vec<T, N> a, T *out) { out[threadIdx.x] = a[threadIdx.x]; }
template <typename T> struct Launcher { static void run(T *p) { kvec<<<1, 2>>>(Vec<T, 2>{}, p); } };
template <typename T> void go(const std::vector<T> &x, T *a, T *b) { reduce<T, Sum<T>, 256><<<1, 256>>>(a, b, 10); reduce<T, Max<T>, 128><<<1, 128>>>(a, b, 10); }
int main()
{
    float *p = nullptr;
    Vec<float, 3> a, b;
    kdot<<<1, 1>>>(a, b, p);
    kdot<Vec<float, 4>><<<1, 1>>>(Vec<float, 4>(), Vec<float, 4>(), p);
    kvec<<<1, 3>>>(a, p);
    std::vector<double> d; double *q = nullptr;
    go(d, q, q);
    int *ip = nullptr;
    reduce<int, Sum<int>, 64><<<1, 64>>>(ip, ip, 3);
}
