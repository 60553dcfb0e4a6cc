// Templates that `enable_if` and traits of `std` and of `cuda::std` choose among.
#include <type_traits>
#include <cuda/std/type_traits>
template <typename T> __device__ std::enable_if_t<std::is_integral<T>::value, int> kind(T x) { return x; }
template <typename T> __device__ std::enable_if_t<std::is_floating_point<T>::value, int> kind(T x) { return 2 * x; }
template <typename T> __device__ cuda::std::enable_if_t<cuda::std::is_pointer<T>::value, int> of_cuda(T x) { return *x; }
template <typename T> __device__ typename cuda::std::enable_if<!cuda::std::is_pointer<T>::value, int>::type of_cuda(T x) { return x; }
template <typename T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0> __device__ T half(T x) { return x / 2; }
template <typename T> __device__ typename std::conditional<sizeof(T) == 4, int, long>::type wide(T x) { return x + sizeof(x); }
template <typename T> __device__ int tagged(T x, std::true_type) { return x; }
template <typename T> __device__ int tagged(T x, std::false_type) { return -x; }
template <typename T> __device__ int tagged(T x, cuda::std::true_type) { return 2 * x; }
template <typename T> __device__ int size(T &&x) { return sizeof(std::remove_reference_t<T>) + std::is_lvalue_reference<T>::value; }
__device__ int chosen(int x)
{
    using namespace std;
    return is_same_v<int, decltype(x)> ? x : 0;
}
__global__ void test(int *out)
{
    out[0] = kind(out[0]), out[1] = kind(1.5f), out[2] = of_cuda(out), out[3] = of_cuda(4);
    out[4] = half(9.0), out[5] = wide('a'), out[6] = wide(out[6]);
    out[7] = tagged(out[7], std::is_same<int, int>()), out[8] = tagged(out[8], std::is_same<int, long>{});
    out[9] = tagged(out[9], cuda::std::true_type()), out[10] = size(out[0]), out[11] = size(1.0), out[12] = chosen(out[12]);
}
