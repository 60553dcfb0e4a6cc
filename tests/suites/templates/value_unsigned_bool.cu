// Value parameters of type `unsigned`, `bool` and of small integer types.
template <unsigned N> __device__ unsigned wrapped() { return N - 1; }
template <bool CHECKED> __device__ int at(const int *a, int i, int n)
{
    if (CHECKED && i >= n) return -1;
    return a[i % 4];
}
template <char C> __device__ int code() { return C; }
template <unsigned char C> __device__ int byte_plus_one() { return C + 1; }
template <short S> __device__ int twice() { return S * 2; }

extern "C" __global__ void test(int *out)
{
    int a[4] = {1, 2, 3, 4};
    out[0] = wrapped<1>();
    out[1] = wrapped<0>() > 5u;
    out[2] = wrapped<4294967295u>() == 4294967294u;
    out[3] = at<true>(a, 5, 4);
    out[4] = at<false>(a, 5, 4);
    out[5] = at<1>(a, 2, 4);
    out[6] = code<'a'>();
    out[7] = code<-1>();
    out[8] = byte_plus_one<255>();
    out[9] = twice<-300>();
}
