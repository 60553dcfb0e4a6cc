//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)

__device__ unsigned f() {
  const unsigned k = 7;
  auto a = [=]() { const unsigned *p = &k; return *p; };
  auto b = [&]() { const unsigned &r = k; return r; };
  auto c = [=]() { auto d = [&]() { return &k; }; return *d(); };
  auto e = [=](unsigned x) { const unsigned &r = x > 3 ? x : k; return r; };
  auto g = [=]() { return [&k](unsigned x) { return k + x; }(2); };
  auto h = [=]() { return k; };
  auto i = [&]() { return k + *&k; };
  return g() + h() + i() + 16 * (sizeof a + sizeof b * 2 + sizeof c * 3 + sizeof g * 4 + sizeof h * 5 + sizeof i * 6) + a() + b() + c() + e(2) + e(100);
}
extern "C" __global__ void test(float *out) { out[threadIdx.x] = f(); }
