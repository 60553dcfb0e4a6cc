// Explicit specializations: for types, with deduced arguments, for pointers, and of overloads.
template <class T> __device__ T twice(T a) { return a + a; }
template <> __device__ float twice<float>(float a) { return a * 2.5f; }
template <> __device__ char twice(char) { return 'x'; }
template <class T> __device__ int rank() { return 0; }
template <> __device__ int rank<int>() { return 4; }
template <> __device__ int rank<const int *>() { return 5; }
template <> __device__ int rank<float4>() { return 6; }
template <class T> __device__ int chosen(T) { return 1; }
template <class T> __device__ int chosen(T *) { return 2; }
template <> __device__ int chosen(int *) { return 3; }
template <> __device__ int chosen<int>(int) { return 4; }

extern "C" __global__ void test(int *out)
{
    int a = 0;
    float f = 0;
    out[0] = twice(4);
    out[1] = (int)twice(4.0f);
    out[2] = (int)(twice(4.5) * 10);
    out[3] = twice('a');
    out[4] = rank<int>();
    out[5] = rank<const int>();
    out[6] = rank<const int *>();
    out[7] = rank<float4>();
    out[8] = chosen(&a);
    out[9] = chosen(&f);
    out[10] = chosen(a);
    out[11] = chosen(f);
}
