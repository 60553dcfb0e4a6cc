// Symbols of instances: arguments that are types, and how parameters and results use them.
struct P { int a; };
namespace n { struct Q { int a; struct R { int b; }; }; enum class E : char { a = 1 }; }
typedef int row[4];
typedef P *pp;
using fn = int(float, P *);
template <class T> __device__ void none(int *p) { *p += sizeof(T); }
template <class T> __device__ T result(T a) { return a; }
template <class T> __device__ const T *inner(T *a, const T *const *b, T &c, const T &d) { return a ? &d : b ? *b : &c; }
template <class T, class U> __device__ T (*two(T a, U b, T *c, U **d))(U) { return nullptr; }
template <class T> __device__ int with_fixed(P *a, T b, pp c, n::Q d, n::Q *e) { return sizeof(T); }
template <class T, class... R> __device__ int many(T, R...) { return sizeof...(R); }

extern "C" __global__ void test(int *out)
{
    P p = {1};
    int i = 1;
    const int *ci = &i;
    n::Q q = {1};
    none<P>(out), none<n::Q>(out), none<n::Q::R>(out), none<n::E>(out), none<row>(out), none<pp>(out), none<fn *>(out);
    none<const P>(out), none<const char *const>(out), none<int &>(out), none<P &&>(out), none<float4>(out), none<int[2][3]>(out);
    none<unsigned long long>(out), none<signed char>(out), none<const volatile short *>(out), none<int(*)[3]>(out);
    out[1] = result(p).a + result(&i)[0] + (int)result(2.5) + (int)result(n::E::a) + result(ci)[0];
    out[2] = *inner(&i, &ci, i, i) + inner(&p, (const P *const *)0, p, p)->a;
    out[3] = two(1, 2.0f, &i, (float **)0) == nullptr;
    out[4] = with_fixed(&p, 'c', &p, q, &q) + with_fixed(&p, &p, &p, q, &q);
    out[5] = many(1, 2, 3.0f) + many(1) + many(&p, 'c');
}
