//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// Constructor templates that fit an object better than the copy of its class.
struct Box {
    int n, how;
    __device__ Box() : n(0), how(0) {}
    template <class T> __device__ Box(T &&x) : n(sizeof(x)), how(1) {}
};
struct Conv {
    int n;
    __device__ Conv(int n) : n(n) {}
    template <class T> __device__ Conv(const T &x) : n(100 + sizeof(x)) {}
};
struct Own {
    int n;
    __device__ Own(int n) : n(n) {}
    __device__ Own(const Own &o) : n(o.n + 10) {}
    template <class T> __device__ Own(T &x) : n(x.n + 1000) {}
};
__device__ int by_value(Box b) { return b.how * 10 + b.n; }
__device__ int by_value(Conv c) { return c.n; }
__device__ int own(Own o) { return o.n; }
__device__ Box made(int k) { Box b; b.n = k; return b; }
__global__ void test(float *out) {
    int t = threadIdx.x;
    Box a; a.n = t;
    const Box c = a;
    Box d = c, e = a, f(made(3)), g = static_cast<Box &&>(a);
    out[t] = a.how + c.how * 2 + d.how * 4 + e.how * 8 + f.how * 16 + f.n + g.how * 32;
    out[t + 32] = by_value(a) + by_value(c) * 100 + by_value(made(t));
    Conv x(3), y = x, z(2.5);
    out[t + 64] = y.n + z.n + by_value(x);
    Own o(t); const Own p(5);
    Own q = o, r = p;
    out[t + 96] = q.n + r.n + own(o) + own(p);
}
