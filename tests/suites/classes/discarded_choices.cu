//@ launch: test grid=1 block=1
//@ arg: out=i32[16]=fill(3)
// A choice between an object and a new one is a new object, whose value may be needed by nothing.
struct S {
    unsigned s, *copies;
    __device__ S(unsigned x, unsigned *counter) : s(x), copies(counter) { }
    __device__ S(const S &o) : s(o.s), copies(o.copies) { ++*copies; }
    static __device__ unsigned twice(unsigned x) { return 2 * x; }
};

extern "C" __global__ void test(int *out) {
    unsigned copies = 0;
    S x(5, &copies);
    bool c = out[0] == 3;
    (void)(c ? x : S(3, &copies));
    c ? x : S(4, &copies);
    !c ? x : S(4, &copies);
    out[0] = (c ? x : S(6, &copies)).twice(7) + 100 * copies;
}
