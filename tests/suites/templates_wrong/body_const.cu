// One of two instances assigns to a constant.
// clang: 6:7 6:5
// instances: 12:5
template <class T> __device__ void clear(T &a)
{
    a = 0;
}
__device__ void f(const int &c)
{
    int i;
    clear(i);
    clear(c);
}
