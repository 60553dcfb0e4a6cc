//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// Explicit calls of destructors and placement new: of classes, bases, members, numbers, in templates.
__device__ float *o; __device__ int n; __device__ void put(float v) { o[n++] = v; }
struct A { int x; __device__ A(int x = 7) : x(x) { put(100 + x); } __device__ ~A() { put(200 + x); } };
struct B : A { A m; int y; __device__ B(int a) : A(a), m(a + 1), y(3) {} };
struct Triv { int x; };
namespace q { struct C { int z; __device__ ~C() { put(z); } }; typedef C Alias; template <class T> struct D { T t; __device__ ~D() { put(t); } }; }
typedef int I; typedef A AA;
template <class T> __device__ void destroy(T *p) { p->~T(); }
template <class T> __device__ void destroy2(T &p) { p.~T(); p.T::~T(); }

extern "C" __global__ void test(float *out) { if (threadIdx.x) return; o = out; n = 0;
 alignas(8) char buf[64]; 
 A *a = new (buf) A; a->~A(); a = new (buf) A(3); a->A::~A(); (*a).~A(); a->~AA();
 B *b = new (buf) B(20); b->~B(); b = new (buf) B(30); b->A::~A(); b->m.~A();
 int k = 5; int *pk = &k; k.~I(); pk->~I(); pk->I::~I(); destroy(pk); destroy(a); destroy2(*a); 
 Triv *t = new (buf) Triv{9}; t->~Triv(); t = new (buf) Triv(); put(t->x); put(*new (buf) int(4));  
 int *arr = new (buf) int[3]{1, 2, 3}; put(arr[2]); A *aa = new (buf) A[2]; aa[1].~A(); aa[0].~A(); 
 q::C c{11}; c.~C(); (&c)->C::~C(); q::D<int> d{12}; d.~D(); d.~D<int>(); (&d)->q::D<int>::~D();
  int **pp = new (buf) int *(pk); put(**pp); const A *ca = new (buf) const A(50); ca->~A();
 float (*p2)[2] = new (buf) float[2][2]; p2[0][1] = 2; put(p2[0][1]); new (buf) A(1); (void)new (buf) A(2); int m = 3; int *dy = new (buf) int[m]; put(sizeof(*dy)); put(-1);
}
