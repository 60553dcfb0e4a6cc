// `sizeof...`, empty packs, packs after other parameters.
template <class... T> __device__ int types() { return sizeof...(T); }
template <int... N> __device__ int values() { return sizeof...(N); }
template <class... T> __device__ int arguments(T... a) { return sizeof...(a) * 10 + sizeof...(T); }
template <class First, class... Rest> __device__ int rest(First, Rest...) { return sizeof...(Rest); }
template <int N, class... T> __device__ int mixed(T...) { return N * 100 + (int)sizeof...(T); }

extern "C" __global__ void test(int *out)
{
    out[0] = types<>();
    out[1] = types<int, float, int *>();
    out[2] = values<>();
    out[3] = values<5, 6>();
    out[4] = arguments();
    out[5] = arguments(1, 2.0f, 'c');
    out[6] = rest(1);
    out[7] = rest(1, 2, 3);
    out[8] = mixed<4>(1, 2);
    out[9] = mixed<4, int>(1, 2.0);
}
