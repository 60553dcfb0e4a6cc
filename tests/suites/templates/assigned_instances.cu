//@ launch: test grid=1 block=1
//@ arg: out=i32[16]=fill(3)
// An assignment of objects whose class nothing has needed yet calls the operator of the class.
template <int N> struct S {
    unsigned s;
    S() = default;
    __device__ S(const S &o) : s(o.s + 1) { }
    __device__ S &operator=(const S &o) { s = o.s * 2; return *this; }
};
__device__ void plain(S<1> &x, S<1> &y) { x = y; }
__device__ void choice(S<2> &x, S<2> &y, bool c) { x = c ? x : y; }
__device__ void listed(S<3> &x, S<3> &y) { x = {y}; }
__device__ void pointed(S<4> *x, S<4> *y) { *x = *y; }
__device__ void element(S<5> (&x)[2], S<5> &y) { (x[0] = y) = y; }

extern "C" __global__ void test(int *out) {
    S<1> a[2];
    S<2> b[2];
    S<3> c[2];
    S<4> d[2];
    S<5> e[2], f;
    a[1].s = 5, b[1].s = 6, c[1].s = 7, d[1].s = 8, f.s = 9;
    plain(a[0], a[1]);
    choice(b[0], b[1], out[0] == 4);
    listed(c[0], c[1]);
    pointed(d, d + 1);
    element(e, f);
    out[0] = a[0].s, out[1] = b[0].s, out[2] = c[0].s, out[3] = d[0].s, out[4] = e[0].s;
}
