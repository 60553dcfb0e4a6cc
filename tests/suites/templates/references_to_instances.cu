// Instances with references: results that are references, conditions, chains, members.
struct Box { int a; int list[3]; };
template <class T> __device__ T &larger(T &a, T &b) { return a > b ? a : b; }
template <class T> __device__ T &add(T &to, const T &a) { to += a; return to; }
template <class T, int N> __device__ T &last(T (&a)[N]) { return a[N - 1]; }
template <class T> __device__ const T &constant(const T &a) { return a; }
template <class T> __device__ T &&moved(T &a) { return static_cast<T &&>(a); }

extern "C" __global__ void test(int *out)
{
    int a = 3, b = 7;
    Box box = {1, {2, 3, 4}};
    larger(a, b) = 20;
    out[0] = b;
    out[1] = add(add(a, 1), 10);
    last(box.list) = 50;
    out[2] = box.list[2];
    out[3] = constant(box).list[1];
    out[4] = constant(a + b);
    int &&r = moved(b);
    r++;
    out[5] = b;
    out[6] = add(box.a, last(box.list));
}
