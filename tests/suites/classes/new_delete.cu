//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(0)
// new and delete: of objects and arrays, with constructors and destructors, in templates.
__device__ float *o; __device__ int n; __device__ void put(float v) { o[n++] = v; }
struct A { int x; __device__ A(int x = 7) : x(x) { put(100 + x); } __device__ ~A() { put(200 + x); } };
struct Triv { int x; float y; }; struct Dflt { int a = 4; int b; };
struct alignas(16) W { int w; __device__ ~W() { put(w); } };
struct Der : A { A m; __device__ Der(int v) : A(v), m(v + 1) {} };
template <class T> struct Vec { T *p; int n; __device__ Vec(int n) : p(new T[n]), n(n) {} __device__ ~Vec() { delete[] p; } __device__ T *begin() { return p; } __device__ T *end() { return p + n; } };
template <class T, class... U> __device__ T *make(U... u) { return new T(u...); }
struct Node { int v; Node *next; __device__ Node(int v, Node *next) : v(v), next(next) {} };
struct Own { A *a; __device__ operator A *() { return a; } };
__device__ __noinline__ A *f1() { return new A; } __device__ __noinline__ void f2(A *a) { delete a; } __device__ __noinline__ A *f3(int n) { return new A[n]; } __device__ __noinline__ void f4(const A *a) { delete[] a; }
extern "C" __global__ void test(float *out) { int t = threadIdx.x; if (t) return; o = out; n = 0;
 A *a = f1(); f2(a); f2(nullptr); a = new A(3); delete a; a = new A{4}; ::delete a; A *b = f3(3); b[1].x = 50; f4(b); f4(nullptr); put(-1);
 int *i = new int; *i = 5; put(*i); delete i; i = new int(6); put(*i); delete i; i = new int(); put(*i); delete i; i = new int{}; put(*i); delete i; i = ::new int{8}; put(*i); delete i;
 i = new int[4](); put(i[3]); delete[] i; int k = 3; i = new int[k]{}; put(i[2]); delete[] i; i = new int[3]{1, 2}; put(i[1] + i[2]); delete[] i;
 Triv *tr = new Triv{1, 2.f}; put(tr->x + tr->y); delete tr; tr = new Triv(); put(tr->x); delete tr; tr = new Triv[2]{{1, 2}, {3, 4}}; put(tr[1].y); delete[] tr; Dflt *d = new Dflt; put(d->a); delete d; d = new Dflt(); put(d->b); delete d;
 put(-2); W *w = new W[2]; w[0].w = 1; w[1].w = 2; delete[] w; put(((unsigned long long)w & 15)); Der *der = new Der(30); delete der; { Vec<A> v(2); for (auto &x : v) x.x++; } put(-3);
 A *m = make<A>(70); delete m; m = make<A>(); delete m; put(*make<int>(4)); Node *h = nullptr; for (int j = 0; j < 4; j++) h = new Node(j, h); int s = 0; while (h) { Node *q = h->next; s = s * 10 + h->v; delete h; h = q; } put(s);
 Own ow{new A(80)}; delete ow; int (*p2)[2] = new int[3][2]; p2[2][1] = 9; put(p2[2][1]); delete[] p2; A(*pa)[2] = new A[2][2]; delete[] pa; typedef int Arr[2]; int *ar = new Arr; ar[1] = 1; delete[] ar; int **pp = new int *[2]; pp[0] = &k; put(*pp[0]); delete[] pp;
 A *last = (put(1), new A(a == nullptr ? 1 : 2)); last->x++; delete last; float *ff = new (float); *ff = 2; put(*ff); delete ff; A *aa[2] = {new A(1), new A(2)}; delete aa[0]; delete aa[1]; put(sizeof(*new int)); void *vv = new char[10]; delete (char *)vv; const int *ci = new const int(3); put(*ci); delete ci; put(-9); }
