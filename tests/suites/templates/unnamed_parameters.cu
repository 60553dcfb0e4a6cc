// Parameters without names, and one whose name hides another name.
typedef int Type;
__device__ int count = 100;
template <class, int = 3> __device__ int one() { return 1; }
template <class T, class> __device__ int first_of_two() { return (int)sizeof(T); }
template <int> __device__ int ignored(int) { return 2; }
template <class Type> __device__ int hidden_type(Type) { return (int)sizeof(Type); }
template <int count> __device__ int hidden_variable() { return count; }
template <class T> __device__ int only_type(T, T = T()) { return (int)sizeof(T) * 10; }

extern "C" __global__ void test(int *out)
{
    out[0] = one<char>() + one<int, 5>();
    out[1] = first_of_two<short, double>();
    out[2] = ignored<8>(0);
    out[3] = hidden_type(1.0);
    out[4] = hidden_variable<6>() + count;
    out[5] = only_type('a');
    out[6] = (int)sizeof(Type);
}
