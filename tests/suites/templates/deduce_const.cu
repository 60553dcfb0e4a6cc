// `T` takes the qualifiers that the parameter does not name.
template <class T> __device__ int writable(T *) { return 1; }
template <class T> __device__ int writable(const T *) { return 0; }
template <class T> __device__ int size_of(T &a) { return (int)sizeof(a); }
template <class T> __device__ T *same(T *p) { return p; }
template <class T> __device__ void copy(T &to, const T &from) { to = from; }

extern "C" __global__ void test(int *out)
{
    int a = 6;
    const int c = 7;
    const int *p = &c;
    int *const q = &a;
    const char text[] = "seven";
    out[0] = writable(&a);
    out[1] = writable(&c);
    out[2] = writable(p);
    out[3] = writable(q);
    out[4] = writable(text);
    out[5] = size_of(text);
    out[6] = *same(p) + *same(q);
    copy(a, c);
    out[7] = a;
    *same(q) = 12;
    out[8] = a;
}
