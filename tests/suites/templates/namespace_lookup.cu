// Templates in namespaces: qualified names, nested and inline namespaces, aliases, `using`.
namespace outer {
template <class T> __device__ T one(T a) { return a + 1; }
namespace inner {
template <class T> __device__ T two(T a) { return one(a) + 1; }
template <int N> __device__ int level() { return N; }
}
inline namespace v2 { template <class T> __device__ T three(T a) { return inner::two(a) + 1; } }
}
namespace alias = outer::inner;
namespace user {
using outer::one;
using namespace outer::inner;
__device__ int f(int a) { return one(a) * 100 + two<int>(a); }
}

extern "C" __global__ void test(int *out)
{
    out[0] = outer::one(1);
    out[1] = outer::inner::two<int>(1);
    out[2] = outer::three(1);
    out[3] = outer::v2::three<short>(1);
    out[4] = alias::level<12>();
    out[5] = user::f(5);
    out[6] = ::outer::one<char>('a');
    using namespace outer;
    out[7] = one(7) + inner::level<3>();
}
