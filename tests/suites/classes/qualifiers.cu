// The qualifiers of `this`, which overload resolution tells apart, and of references to it.
struct Which {
    int n;
    __device__ int kind() { return 1 + n; }
    __device__ int kind() const { return 2 + n; }
    __device__ int kind() volatile { return 3 + n; }
    __device__ int side() & { return 4; }
    __device__ int side() const & { return 5; }
    __device__ int side() && { return 6; }
    __device__ int mixed(int) { return 7; }
    __device__ int mixed(float) const { return 8; }
    __device__ static int mixed(const char *) { return 9; }
    __device__ int only_const(int a) const { return n * a; }
    __device__ int outside() &;
    __device__ int outside() &&;
    __device__ int outside() const &;
};
__device__ int Which::outside() & { return 11; }
__device__ int Which::outside() && { return 12; }
__device__ int Which::outside() const & { return 13; }

__device__ Which make(int n) { return Which{n}; }

extern "C" __global__ void test(int *out)
{
    Which a{10};
    const Which b{20};
    volatile Which c{30};
    out[0] = a.kind();
    out[1] = b.kind();
    out[2] = c.kind();
    out[3] = a.side();
    out[4] = b.side();
    out[5] = make(1).side();
    out[6] = a.mixed(1) * 100 + a.mixed("");
    out[7] = b.mixed(1) + b.mixed(1.0f) + b.mixed("x");
    out[8] = a.only_const(2) + make(3).only_const(4);
    Which &r = a;
    const Which &s = a;
    out[9] = r.kind() * 100 + s.kind();
    out[10] = static_cast<Which &&>(a).side();
    out[11] = a.outside() * 10000 + make(5).outside() * 100 + b.outside();
}
