// One of two instances has the same case twice.
// clang: 8:10
// instances: 14:27
template <int N> __device__ int chosen(int i)
{
    switch (i) {
    case 3: return 1;
    case N: return 2;
    }
    return 0;
}
__device__ int f(int i)
{
    return chosen<4>(i) + chosen<3>(i);
}
