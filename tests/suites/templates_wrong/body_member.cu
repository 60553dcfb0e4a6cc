// One of two instances has no such member.
// clang: 7:13 7:12 7:14
// instances: 11:21
struct P { int x; };
template <class T> __device__ int get(T a)
{
    return a.x;
}
__device__ int f(P p, int i)
{
    return get(p) + get(i);
}
