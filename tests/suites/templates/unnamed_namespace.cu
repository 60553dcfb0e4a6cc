// Templates in an unnamed namespace, and with arguments from one.
namespace {
struct Local { int a; };
template <class T> __device__ int value(const T &t) { return t.a; }
template <int N> __device__ int level() { return N; }
}
struct Global { int a; };
template <class T> __device__ int outside(T t) { return t.a + value(t); }

extern "C" __global__ void test(int *out)
{
    Local l = {3};
    Global g = {4};
    out[0] = value(l);
    out[1] = value(g);
    out[2] = level<5>();
    out[3] = outside(l);
    out[4] = outside(g);
}
