// CUDA's vector types as what is deduced.
template <class V> __device__ int first(V v) { return (int)v.x; }
template <class V> __device__ auto sum4(const V &v) { return v.x + v.y + v.z + v.w; }
template <class V> __device__ V load(const V *p, int i) { return p[i]; }
template <class T, class V> __device__ T last(V v)
{
    T parts[sizeof(V) / sizeof(T)];
    *reinterpret_cast<V *>(parts) = v;
    return parts[sizeof(V) / sizeof(T) - 1];
}

extern "C" __global__ void test(int *out)
{
    float4 f = make_float4(1.5f, 2.5f, 3.5f, 4.5f);
    int2 pair[2] = {make_int2(3, 4), make_int2(5, 6)};
    uchar4 bytes = make_uchar4(250, 251, 252, 253);
    out[0] = first(f);
    out[1] = first(pair[1]);
    out[2] = (int)(sum4(f) * 10);
    out[3] = sum4(bytes);
    out[4] = load(pair, 1).y;
    out[5] = first(threadIdx);
    out[6] = first(blockDim);
    out[7] = last<int>(pair[0]);
    out[8] = last<unsigned char>(bytes);
    out[9] = first(make_double2(7.5, 8));
}
