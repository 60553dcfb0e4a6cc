// `auto` as the type of a value parameter.
template <auto V> __device__ int size_of_value() { return (int)sizeof(V); }
template <auto V> __device__ int value() { return (int)V; }
enum class Level : short { deep = 12 };

extern "C" __global__ void test(int *out)
{
    out[0] = size_of_value<1>();
    out[1] = size_of_value<1ll>();
    out[2] = size_of_value<'c'>();
    out[3] = size_of_value<true>();
    out[4] = size_of_value<Level::deep>();
    out[5] = value<-3>();
    out[6] = value<7u>();
    out[7] = value<Level::deep>();
}
