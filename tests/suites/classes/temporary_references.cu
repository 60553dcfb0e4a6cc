//@ launch: test grid=1 block=1
//@ arg: out=f32[512]=fill(0)
// Temporaries that live as long as a reference, and those that do not.
__device__ int n; __device__ float *o;
__device__ void put(int v) { o[n++] = v; }
struct T {
    int x; int arr[2];
    __device__ T(int a) : x(a), arr{a, a + 1} { put(100 + x); }
    __device__ T(const T &o) : x(o.x + 10) { put(200 + x); }
    __device__ ~T() { put(300 + x); x = -1; }
    __device__ int get() const { return x; }
    __device__ const T &self() const { return *this; }
};
struct In { T t; T u[2]; };
extern "C" __global__ void test(float *out)
{
    o = out; ::n = 0;
    bool q = threadIdx.x == 0;
    T t(50);
    const T &r1 = q ? static_cast<const T &>(T(1)) : t; put(-1);
    const T &r2 = (T(2), static_cast<const T &>(T(3))); put(-2);
    const T &r3 = T(4).self(); put(-3);
    const T &r5 = In{T(6), {T(7), T(8)}}.u[1]; put(-5);
    T &&r6 = In{T(1), {T(2), T(3)}}.t; put(-6);
    const int &r7 = T(4).x; put(-7);
    const int &r8 = T(5).arr[1]; put(-8);
    int &&r9 = T(6).x; put(-9);
    int &&r10 = (int &&)T(7).x; put(-10);
    put(r7 + r9);
    const T &r12 = (const T &)T(9); put(-12);
    auto &&r13 = T(1); auto &&r14 = T(2).x; put(-13);
    const T *p = &static_cast<const T &>(T(2)); put(-14);
    for (int x : T(3).arr) put(x);
    put(-15);
    for (const T &x : In{T(6), {T(7), T(8)}}.u) put(x.x);
}
