// The address of a variable, and a null pointer, as value parameters.
__device__ int first = 3, second = 4;
__device__ int list[4] = {5, 6, 7, 8};
template <int *P> __device__ int add(int a) { return *P + a; }
template <const int *P> __device__ int at(int i)
{
    if constexpr (P == nullptr) return -1;
    else return P[i];
}

extern "C" __global__ void test(int *out)
{
    out[0] = add<&first>(10);
    out[1] = add<&second>(10);
    out[2] = at<list>(2);
    out[3] = at<nullptr>(0);
}
