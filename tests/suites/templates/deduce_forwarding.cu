// Deduction from `T &&`: an lvalue makes `T` a reference.
template <class T> __device__ int size_of(T &&) { return (int)sizeof(T); }
template <class T> __device__ void set(T &&a) { a = 5; }
template <class T> __device__ int changed_copy(T &&a, int start)
{
    T t = a;
    t += 100;
    return a + start;
}
template <class T> __device__ int kind(T &) { return 1; }
template <class T> __device__ int kind(T &&) { return 2; }
template <class T> __device__ int through(T &&a) { return kind(static_cast<T &&>(a)); }

extern "C" __global__ void test(int *out)
{
    int a = 1;
    const short s = 2;
    set(a);
    out[0] = a;
    set(3);
    out[1] = changed_copy(a, 1000);
    out[2] = changed_copy(7, 1000);
    out[3] = size_of(s);
    out[4] = size_of(2.5);
    out[5] = kind(a);
    out[6] = kind(6);
    out[7] = through(a);
    out[8] = through(6);
    out[9] = through(s);
}
