//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(0)
// What `T()` and `T{}` leave no constructor of the program's to do: the object is zero before its members are constructed.
struct M { int v; __device__ M() { v = 5; } };
struct S { int x; S() = default; __device__ S(int v) : x(v) {} };
struct T { int x; M m; int y = 4; T() = default; __device__ T(int v) : x(v) {} };
struct U { int a; M m; U() = default; int b; };
struct H { S s; T t; int k; };
__global__ void test(float *out) {
    S s = S(); S s2{}; out[0] = s.x + s2.x;
    T t = T(); T t2{}; out[1] = t.x + t2.x + t.y + t2.m.v;
    U u = U(); U u2{}; out[2] = u.a + u.b + u2.a + u2.b + u.m.v;
    T a[2] = {}; out[3] = a[0].x + a[1].x + a[1].m.v;
    S *q = new S(); T *r = new T(); out[4] = q->x + r->x + r->m.v;
    T t3; U u3; t3.x = u3.a = 1; out[6] = t3.x + t3.m.v + u3.a + u3.m.v;
    H h = {}; H h2 = {{3}}; out[5] = h.s.x + h.t.x + h.t.y + h.k + h2.s.x + h2.t.x;
}
