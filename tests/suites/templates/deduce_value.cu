// Deduction from a parameter of type `T`: qualifiers at the top are dropped, arrays and functions decay.
template <class T> __device__ int size_of(T) { return (int)sizeof(T); }
template <class T> __device__ T largest(T a, T b) { return a > b ? a : b; }
template <class T> __device__ T incremented(T a) { ++a; return a; }
__device__ void function(int) {}

extern "C" __global__ void test(int *out)
{
    const short s = 4;
    const volatile char c = 'c';
    int a[6] = {4, 5, 6, 7, 8, 9};
    const int &r = a[1];
    out[0] = largest(3, 5);
    out[1] = (int)(largest(2.5f, 1.5f) * 10);
    out[2] = incremented(s);
    out[3] = size_of(s);
    out[4] = size_of(c);
    out[5] = size_of(a);
    out[6] = size_of(r);
    out[7] = size_of(function);
    out[8] = size_of("abc");
    out[9] = size_of(s + s);
    out[10] = size_of(1.0);
    out[11] = *incremented(a);
}
