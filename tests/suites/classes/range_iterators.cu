//@ launch: test grid=1 block=32
//@ arg: out=f32[64]=fill(0)
// Iterators that are classes, with destructors, of other types than their ends; in lambdas, constants and unrolled loops.
struct It { int *p; __device__ It(int *p) : p(p) {} __device__ It(const It &o) : p(o.p) {} __device__ ~It() { *p += 1000; } __device__ bool operator!=(const It &o) const { return p != o.p; } __device__ It &operator++() { ++p; return *this; } __device__ int &operator*() const { return *p; } };
struct B { int v[5]; __device__ It begin() { return It(v); } __device__ It end() { return v + 4; } };
namespace m { struct V { int v[3]; }; template <class T> __device__ auto begin(T &t) -> decltype(&t.v[0]) { return t.v; } template <class T> __device__ auto end(T &t) { return t.v + 3; } 
 enum class E { a, b }; struct EI { int e; __device__ E operator*() { return E(e); } __device__ EI &operator++() { e++; return *this; } }; __device__ bool operator!=(EI a, EI b) { return a.e != b.e; } __device__ EI begin(E e) { return {0}; } __device__ EI end(E e) { return {(int)e + 1}; } }
struct Base { int a[2]; __device__ int *begin() { return a; } __device__ int *end() { return a + 2; } }; struct Der : Base { int z; };
template <class T> struct Span { T *p; int n; __device__ T *begin() const { return p; } __device__ T *end() const { return p + n; } };
template <class F> __device__ void each(F f, Span<int> s) { for (auto &x : s) f(x); }
__device__ constexpr int total() { int v[3] = {1, 2, 3}; int s = 0; for (int x : v) s += x; return s; }
__constant__ int ct = total();
struct Loop { int n; struct I { int i; __host__ __device__ constexpr int operator*() const { return i; } __host__ __device__ constexpr I &operator++() { ++i; return *this; } __host__ __device__ constexpr bool operator!=(I o) const { return i != o.i; } }; __host__ __device__ constexpr I begin() const { return I{n - n}; } __host__ __device__ constexpr I end() const { return {n}; } };
__host__ __device__ constexpr int tri(int n) { int s = 0; for (int i : Loop{n}) s += i; return s; }
extern "C" __global__ void test(float *out) { int t = threadIdx.x; float s = tri(t); static_assert(tri(5) == 10, "");
  __shared__ int sh[32]; sh[t] = t; __syncthreads(); for (int x : Span<int>{sh, 32}) s += x; for (const int &x : Span<const int>{sh, t}) s += x;
  B b = {{1, 2, 3, 4, 5}}; { for (int x : b) s += x; } for (int x : b.v) s += x;
  m::V v = {t, 2, 3}; for (auto x : v) s += x; for (auto e : m::E::b) s += (int)e + 1; Der d; d.a[0] = 3; d.a[1] = 4; for (auto x : d) s += x; for (auto x : (d)) s += x;
  int arr[2] = {1, t}; each([&](int &x) { s += x; x++; }, {arr, 2}); for (auto it : arr) s += it;
  auto lam = [=](Span<int> q) { int r = 0; for (int x : q) r += x; return r; }; s += lam({sh, 2}); Span<int> sp{sh, 3}, *ps = &sp; for (int x : *ps) s += x; 
#pragma unroll
  for (int x : sp) s += x;
  for (int x : t ? sp : Span<int>{arr, 2}) s += x;
  out[t] = s + ct; }
