// Symbols of instances: arguments that are values, in their canonical form.
enum E { MINUS = -2, PLUS = 3 };
enum class S : long long { big = 5000000000 };
namespace n { enum class Mode { fast = 1 }; }
typedef unsigned uint_alias;
template <int N> __device__ void as_int(int *p) { *p += N; }
template <bool B> __device__ void as_bool(int *p) { *p += B; }
template <char C> __device__ void as_char(int *p) { *p += C; }
template <E V> __device__ void as_enum(int *p) { *p += V; }
template <S V> __device__ void as_scoped(int *p) { *p += (int)V; }
template <n::Mode M> __device__ void as_nested(int *p) { *p += (int)M; }
template <uint_alias N> __device__ void as_unsigned(int *p) { *p += N; }
template <unsigned long long N> __device__ void as_wide(int *p) { *p += N; }

extern "C" __global__ void test(int *out)
{
    int *p = &out[0];
    *p = 0;
    as_int<-7>(p), as_int<0>(p), as_int<0x10>(p), as_int<'a'>(p), as_int<true>(p), as_int<E::PLUS>(p);
    as_bool<true>(p), as_bool<false>(p), as_bool<(5 > 4)>(p);
    as_char<'a'>(p), as_char<-1>(p);
    as_enum<MINUS>(p), as_enum<PLUS>(p), as_enum<(E)1>(p);
    as_scoped<S::big>(p);
    as_nested<n::Mode::fast>(p);
    as_unsigned<4000000000>(p);
    as_wide<0xffffffffffffffff>(p);
    out[1] = 1;
}
