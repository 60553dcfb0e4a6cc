// A function that nvcc compiles, which weftc's calls.
__device__ __noinline__ int from_nvcc(int x)
{
    int sum = x + 1;
    return sum; // at: nvcc
}
