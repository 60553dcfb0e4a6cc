// Value parameters of type `int`, negative ones among them.
template <int N> __device__ int scaled(int x) { return x * N; }
template <int A, int B> __device__ int difference() { return A - B; }
template <int N> __device__ int sum_below()
{
    int sum = 0;
    for (int i = 0; i < N; i++) sum += i;
    return sum;
}

extern "C" __global__ void test(int *out)
{
    out[0] = scaled<3>(5);
    out[1] = scaled<-3>(5);
    out[2] = scaled<0>(5);
    out[3] = difference<10, 4>();
    out[4] = difference<4, 10>();
    out[5] = sum_below<5>();
    out[6] = sum_below<0>();
    out[7] = scaled<0x7fffffff>(1) + scaled<-2147483647 - 1>(1);
}
