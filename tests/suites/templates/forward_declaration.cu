// Templates that are declared first and defined later, with other names of the parameters; mutual recursion.
template <class T> __device__ T twice(T a);
template <class T, int N = 3> __device__ T times(T, T = T(2));
template <class T> __device__ bool is_even(T n);
template <class T> __device__ bool is_odd(T n) { return n == 0 ? false : is_even(n - 1); }
template <class T> __global__ void kernel(T *);
template __global__ void kernel<float>(float *);

extern "C" __global__ void test(int *out)
{
    out[0] = twice(4);
    out[1] = times(5);
    out[2] = times<int, 4>(5, 1);
    out[3] = is_even(10) * 10 + is_odd(7);
    out[4] = (int)(twice(1.25f) * 100);
}

template <class U> __device__ U twice(U x) { return x + x; }
template <class V, int COUNT> __device__ V times(V a, V b) { return a * COUNT + b; }
template <class T> __device__ bool is_even(T n) { return n == 0 ? true : is_odd(n - 1); }
template <class T> __global__ void kernel(T *p) { *p = T(1); }
