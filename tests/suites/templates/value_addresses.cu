//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)
// Functions, variables and null pointers as arguments of templates: deduced, in packs, in partial and explicit specializations, of type `auto`.
__device__ int dbl(int a) { return 2 * a; }
__device__ int sq(int a) { return a * a; }
__device__ float fsq(float a) { return a * a; }
__device__ int ov(int a) { return a + 1; }
__device__ float ov(float a) { return a + 2; }
template <int (*F)(int)> struct CallF { __device__ int go(int a) const { return F(a); } };
template <int (*F)(int)> __device__ int through(const CallF<F> &c, int a) { return F(a) + c.go(a); }
template <int (*F)(int)> struct Kind { static constexpr int value = 0; };
template <> struct Kind<sq> { static constexpr int value = 5; };
template <auto V> struct AutoKind { static constexpr int value = sizeof(V); };
template <auto... Vs> __device__ int sum() { return (0 + ... + int(Vs)); }
template <class T, T V> struct constant { static constexpr T value = V; };
template <float (*F)(float)> __global__ void map(float *o) { o[threadIdx.x] = F(o[threadIdx.x]); }
template <class T> using Op = T (*)(T);
template <class T, Op<T> F> __device__ T apply(T a) { return F(a); }
template <class T, Op<T>... Fs> __device__ T chain(T a) { ((a = Fs(a)), ...); return a; }
struct Math { template <class T> static __device__ T inc(T a) { return a + 1; } };
template <int F(int)> __device__ int decayed(int a) { return F(a); }
__constant__ float table[3] = {1, 2, 3};
template <const float (&T)[3]> __device__ float pick(int i) { return T[i]; }
template <const float *T> __device__ float pickp(int i) { return T[i]; }
template <int (*F)(int) = dbl> __device__ int dflt(int a) { return F(a); }
template <int (*F)(int)> __device__ bool is_sq() { return F == sq; }
template <int (*F)(int)> __device__ int addr_of() { int (*p)(int) = F; return p(3) + (*F)(2) + (&*F)(1); }
__device__ constexpr int five() { return 5; }
template <int (*F)()> __device__ int as_constant() { constexpr int k = F(); return k; }
extern "C" __global__ void test(float *out) {
  CallF<sq> c;
  int r = through(c, 3) + Kind<sq>::value + Kind<dbl>::value + AutoKind<3ll>::value + sum<1, 'a', 3u>() + constant<int, 4>::value;
  float f = apply<float, fsq>(1.5f) + apply<int, ov>(1) + apply<float, &ov>(1) + chain<int, dbl, sq, Math::inc<int>>(2);
  r += decayed<dbl>(2) + dflt(3) + dflt<sq>(3) + is_sq<sq>() + is_sq<dbl>() + addr_of<sq>() + as_constant<five>();
  out[threadIdx.x] += r + f + pick<table>(2) + pickp<table>(1);
}
