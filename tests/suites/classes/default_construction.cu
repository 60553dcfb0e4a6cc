// Objects without values: implicit constructors, and the values that a class gives its members.
struct V { int x; __device__ V() { x = 4; } };
struct A { V v; };
struct B { dim3 d; };
struct C { int n = 3; };
struct D { int n = 3; D() = default; };
struct E { int n = 3; };
struct F { V v; };
struct G { V v; };
struct H { int n = 3; };
struct I { int n = 3; V v; };
struct J { int n = 3; V v; };
struct K { V v; K() = default; };
struct L { J j; };
extern "C" __global__ void test(int *o) {
  A a; B b; C c; D d;
  E e[3]; F f[3];
  G g{}; H h{};
  o[0] = a.v.x + b.d.x + c.n + d.n + e[1].n + f[2].v.x + g.v.x + h.n;
  I i{5}; J j = J(); K l; L m;
  o[1] = i.n + j.v.x + l.v.x + m.j.n;
}
