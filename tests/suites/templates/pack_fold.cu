// Folds: left and right, with and without a start, with several operators.
template <class... T> __device__ auto sum(T... a) { return (a + ...); }
template <class... T> __device__ auto left(T... a) { return (... - a); }
template <class... T> __device__ auto right(T... a) { return (a - ...); }
template <class... T> __device__ int with_start(T... a) { return (100 + ... + a); }
template <class... T> __device__ int with_end(T... a) { return (a - ... - 1000); }
template <class... T> __device__ bool all(T... a) { return (a && ...); }
template <class... T> __device__ bool any(T... a) { return (... || a); }
template <int... N> __device__ int product() { return (N * ... * 1); }
template <class... T> __device__ int sizes() { return (int)(sizeof(T) + ... + 0); }
template <class... T> __device__ void store(int *p, T... a) { ((*p++ = a * 2), ...); }

extern "C" __global__ void test(int *out)
{
    out[0] = sum(1, 2, 3);
    out[1] = (int)(sum(1, 2.5f) * 10);
    out[2] = left(10, 3, 2);
    out[3] = right(10, 3, 2);
    out[4] = with_start();
    out[5] = with_start(1, 2);
    out[6] = with_end(1, 2);
    out[7] = all() * 10 + all(1, 0, 1);
    out[8] = any() * 10 + any(0, 2);
    out[9] = product<2, 3, 4>() + product<>();
    out[10] = sizes<char, double, short>();
    store(&out[11], 4, 5, 6);
}
