// All ways to make a value of a parameter's type.
template <class T> __device__ T functional(float a) { return T(a); }
template <class T> __device__ T c_style(float a) { return (T)a; }
template <class T> __device__ T named(float a) { return static_cast<T>(a); }
template <class T> __device__ T nothing() { return T(); }
template <class T> __device__ T braces() { return T{}; }
template <class T> __device__ T listed(T a) { T t{a}; return {t}; }
template <class T> __device__ T bits(const void *p) { return *reinterpret_cast<const T *>(p); }
template <class T> __device__ int same_object(T *p) { return const_cast<T *>((const T *)p) == p; }
template <class T> __device__ unsigned wide(T a) { return unsigned(T(~T(0)) > T(0)) + (unsigned)sizeof a; }

extern "C" __global__ void test(int *out)
{
    float f = 1.0f;
    out[0] = functional<int>(2.9f);
    out[1] = functional<unsigned char>(200.5f);
    out[2] = c_style<short>(-2.9f);
    out[3] = (int)(named<double>(0.5f) * 10);
    out[4] = nothing<int>() + (nothing<int *>() == nullptr);
    out[5] = braces<long>() == 0;
    out[6] = listed(7);
    out[7] = bits<int>(&f);
    out[8] = same_object(&f);
    out[9] = wide(1u) * 10 + wide((signed char)1);
}
