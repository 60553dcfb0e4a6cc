//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)

template <typename T, unsigned N> class C2 { public: unsigned a; int b; unsigned c;
static __device__ unsigned mix(unsigned &&x3) { return x3; }
__device__ unsigned step(unsigned x7 = 11u) {
auto l8 = [x7]() -> unsigned { return C2<T, N>::mix(3u + x7) + C2<T,N>::mix(4); };
auto l9 = [x7]() -> unsigned { C2<T, N> v10{mix((880u + 0u)), 3, 4}; return v10.a; };
auto l13 = [=]() { return mix(5) + x7; };
auto l10 = [x7]() -> unsigned { C2<T, N> v10[] = {C2<T, N>{mix((880u + 0u)), 3, 4}}; return v10[0].a; };
auto l11 = [x7]() -> unsigned { unsigned v9[]={1}; return C2<T,N>::mix(v9[0]+0); };
auto l12 = [x7]() -> unsigned { C2<T, N> v9[]={C2<T, N>{1,2,3}}; return C2<T,N>::mix(v9[0].b+0u); };
return sizeof l8 + sizeof l9 + l8() + l9() + l10() + l11() + l12() + l13() + sizeof l13;
}
};
extern "C" __global__ void test(float *out) { C2<signed char, 1u> c{1,2,3}; out[threadIdx.x] = c.step(true); }
