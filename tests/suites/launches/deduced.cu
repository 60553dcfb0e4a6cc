// Template arguments that the arguments of launches say: parameters, locals, globals, members, addresses, elements, casts, literals.
#include <cstdint>
#include <vector>
template <typename T> __global__ void k(T *p, int n) { if (threadIdx.x < n) p[threadIdx.x] = T{}; }
template <typename A, typename B> __global__ void two(A *a, const B *b) { a[0] = (A)b[0]; }
template <typename T> __global__ void value(T a, float *p) { if (sizeof(a) > 4) *p = 1; }
template <typename T, int N> __global__ void array(T (*p)[N]) { p[0][0] = N; }
template <int N, typename T> __global__ void partly(T *p, T a) { *p = a * N; }
template <typename T, typename U = T, int N = sizeof(U)> __global__ void defaults(T *p) { *p = N; }
struct Point { int x, y; };
template <typename T> __global__ void point(T *p) { p->x = 1; }
// Overloads: the more specialized template, and a function before a template.
template <typename T> __global__ void over(T *p) { *p = 1; }
template <typename T> __global__ void over(T **p) { **p = 2; }
__global__ void over(float *p) { *p = 3; }

namespace app {
template <typename T> __global__ void in_app(T *p) { *p = 4; }
struct Buffers {
    float *x;
    const int *y;
    struct { short *z; } in;
    double *rows[4];
    unsigned n;
};
Buffers shared_buffers;
static int *counter;
void launch(Buffers b, const Buffers &r)
{
    Buffers *pb = &b;
    two<<<1, 1>>>(b.x, b.y);
    two<<<1, 1>>>(pb->in.z, shared_buffers.y);
    two<<<1, 1>>>(counter, r.rows[1]);
    in_app<<<1, 1>>>(r.x);
    in_app<<<1, 1>>>(&b.n);
}
}
uint16_t *g_a, *g_b[2];
extern int64_t *g_c;
void launch(float *d_a, unsigned char *d_b, int n, const double *constant)
{
    k<<<1, 32>>>(d_a, n);
    k<<<dim3((n + 31) / 32, 1), dim3(32), n * sizeof(float), nullptr>>>(d_b, n);
    std::vector<float> host(100);
    double *d_d = nullptr, *d_e;
    cudaMalloc(&d_d, host.size());
    cudaStream_t stream;
    k<<<1, 1, 0, stream>>>(d_d + 1, n);
    two<<<1, 1>>>(d_e, constant);
    two<<<1, 1>>>(g_a, &d_a[2]);
    two<<<1, 1>>>(g_b[1], g_c);
    two<<<1, 1>>>(static_cast<long *>(nullptr), reinterpret_cast<const unsigned *>(d_a));
    two<<<1, 1>>>((char *)0, (const signed char *)d_b + n);
    for (int i = 0; i < 3; i++) {
        short *d_a = nullptr;
        k<<<1, 1>>>(d_a, i);
        value<<<1, 1>>>(i, nullptr);
    }
    if (int64_t wide = n) value<<<1, 1>>>(wide, d_a);
    value<<<1, 1>>>(1.5f, d_a), value<<<1, 1>>>(2.5, d_a), value<<<1, 1>>>('a', d_a), value<<<1, 1>>>(3u, d_a);
    value<<<1, 1>>>(n > 3, d_a);
    value<<<1, 1>>>(d_a, d_a);
    value<<<1, 1>>>(&d_a, d_a);
    value<<<1, 1>>>(*d_b + 1ll, d_a);
    value<<<1, 1>>>(sizeof(int), d_a);
    value<<<1, 1>>>((short)n, d_a);
    value<<<1, 1>>>(static_cast<unsigned short>(n), d_a);
    value<<<1, 1>>>(n ? 1.0f : 2, d_a);
    const unsigned long big = 1;
    value<<<1, 1>>>(big, d_a);
    value<<<1, 1>>>(float(n) * 2, d_a);
    value<<<1, 1>>>(nullptr, d_a);
    int (*rows)[7];
    array<<<1, 1>>>(rows);
    partly<3><<<1, 1>>>(d_a, 1.0f);
    partly<4, int><<<1, 1>>>(nullptr, 1);
    partly<5>
        <<<1, 1>>>(d_d, *d_d);
    defaults<<<1, 1>>>(d_a);
    defaults<int><<<1, 1>>>(0);
    defaults<int, double><<<1, 1>>>(0);
    Point points[10], *d_points;
    point<<<1, 1>>>(points), point<<<1, 1>>>(d_points);
    float4 *vectors;
    point<<<1, 1>>>(vectors + 2);
    over<<<1, 1>>>(d_a);
    over<<<1, 1>>>(&d_d);
    over<<<1, 1>>>(d_d);
    app::in_app<<<1, 1>>>(d_b);
    auto number = 1.5f;
    auto pointer = &number;
    auto *other = (unsigned long *)pointer;
    k<<<1, 1>>>(pointer, 1);
    two<<<1, 1>>>(pointer, pointer);
    auto lambda = [&](bool *flags) { k<<<1, 1>>>(flags, 1); };
    lambda(nullptr);
    typedef long long wide_t;
    using narrow_t = signed char;
    wide_t *w;
    narrow_t *s;
    k<<<1, 1>>>(w, 1), k<<<1, 1>>>(s, host.size());
    switch (wchar_t *c = nullptr; n) {
    case 1: k<<<1, 1>>>(c, 1);
    }
    while (char16_t *c16 = nullptr) k<<<1, 1>>>(c16, 1);
}
struct Object {
    float2 *d;
    int n;
    void inside(int *n) { value<<<1, 1>>>(d, nullptr); value<<<1, 1>>>(n, nullptr); }
    void outside();
};
void Object::outside() { value<<<1, 1>>>(&d->x, nullptr); value<<<1, 1>>>(&n, nullptr); }
class Opaque {
    std::vector<int> host;
public:
    Opaque(int n) : count(n), flags{nullptr} { value<<<1, 1>>>(flags, nullptr); }
    void run(int n)
    {
        struct { float3 *member; } local;
        value<<<1, 1>>>(count, nullptr);
        value<<<1, 1>>>(flags + n, nullptr);
    }
private:
    long count;
    volatile bool *flags;
};
