//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// All instances of a class template are friends.
template <class T> class Vec;
template <class T> struct Reader { template <class V> __device__ __noinline__ T read(const V &v) const { return (T)v.x + v.hidden(); } };
template <class T> class Vec {
    T x;
    __device__ T hidden() const { return x * 2; }
    template <class U> friend class Vec;
    template <class U> friend struct Reader;
public:
    __device__ Vec(T x) : x(x) {}
    template <class U> __device__ __noinline__ Vec(const Vec<U> &o) : x(o.x) {}
    template <class U> __device__ __noinline__ float dot(const Vec<U> &o) const { return x * o.x + o.hidden(); }
};
extern "C" __global__ void test(float *out)
{
    int t = threadIdx.x;
    Vec<int> a(t);
    Vec<float> b(a), c(0.5f);
    out[t] = b.dot(a) + a.dot(c) + Reader<double>().read(a);
}
