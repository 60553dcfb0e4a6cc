//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)
// Addresses in the names of instances: of namespaces, members, instances and internal functions; references.
namespace n { __device__ int third(int a) { return a; } __device__ float gf; }
struct S { static __device__ int st(int a) { return a; } int m; };
static __device__ int hidden(int a) { return a + 1; }
__device__ int doubled(int a) { return 2 * a; }
__device__ int first = 3; __device__ int list[4] = {5, 6, 7, 8};
static __device__ int hid = 3; 
template <class T> __device__ T tf(T a) { return a; }
template <int (*F)(int)> __device__ int sum_of(int n) { return F(n); }
template <int (&F)(int)> __device__ int ref_of(int n) { return F(n); }
template <class T, T (*F)(T)> __device__ T twice(T a) { return F(F(a)); }
template <int *P> __device__ int add(int a) { return P != nullptr ? *P + a : 0; }
template <int &P> __device__ int addr(int a) { return P + a; }
template <int (&P)[4]> __device__ int arr(int a) { return P[a]; }
template <const int *P> __device__ int at(int i) { return 1; }
template <auto V> __device__ int au() { return sizeof(V); }
template <auto F> struct Call { __device__ int go(int a) { return F(a); } };
template <int (*F)(int)> struct CallF { __device__ int go(int a) { return F(a); } };
template <int (*F)(int)> __global__ void kern(int *o) { o[0] = F(3); }
template <int... N> struct Seq {};
template <int (*...F)(int)> __device__ int all(int a) { return (F(a) + ...); }
template __global__ void kern<doubled>(int *);
enum E { e1 = 3 };
extern "C" __global__ void test(float *outf)
{ int out[4];
  out[0] = sum_of<doubled>(4) + sum_of<&n::third>(3) + sum_of<S::st>(3) + sum_of<hidden>(2) + sum_of<tf<int>>(2) + ref_of<doubled>(3) + twice<int, doubled>(3);
  out[1] = add<&first>(1) + add<nullptr>(1) + addr<first>(3) + arr<list>(2) + at<list>(1) + at<nullptr>(0) + at<&first>(1) + add<&hid>(3);
  out[2] = au<3>() + au<'c'>() + au<e1>() + au<doubled>() + au<&first>();
  out[3] = Call<doubled>().go(3) + Call<&doubled>().go(2) + CallF<tf<int>>().go(3) + all<doubled, hidden, n::third>(3);
outf[threadIdx.x] = out[0] + 10 * out[1] + 100 * out[2] + 1000 * out[3]; }
