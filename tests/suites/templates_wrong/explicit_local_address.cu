// The address of a local variable.
// clang: 7:12
template <int *P> __device__ int load() { return *P; }
__device__ int f()
{
    int local = 3;
    return load<&local>();
}
