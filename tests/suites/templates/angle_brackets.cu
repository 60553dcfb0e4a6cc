// `>>` that closes two lists, `>` in arguments, `<` that is an operator, spaces and comments.
template <class T> __device__ constexpr int size() { return (int)sizeof(T); }
template <int N> __device__ constexpr int constant() { return N; }
template <int N> __device__ int value() { return N; }
template <int N, class T = int> __device__ int pair() { return N + (int)sizeof(T); }
template <class T> __device__ int bytes() { return (int)sizeof(T); }
__device__ int less = 3;

extern "C" __global__ void test(int *out)
{
    int value_of = 4;
    out[0] = value<size<int>()>();
    out[1] = value<constant<constant<5>()>()>();
    out[2] = pair<constant<2>(), double>();
    out[3] = value<(8 >> 1)>();
    out[4] = value < 6 > ();
    out[5] = value</* a comment */ 7 // another
        >();
    out[6] = value<1>() < value<2>();
    out[7] = value<3>() > value<2>() && value_of > 2;
    out[8] = less < value_of;
    out[9] = value<3>() >> value<1>();
    out[10] = bytes<int(*)[constant<3>()]>();
    out[11] = pair<sizeof(char[size<short>()])>();
    out[12] = value<(1 < 2)>();
    out[13] = value<1 < 2>();
}
