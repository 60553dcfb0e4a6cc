// A type parameter that is given explicitly.
template <typename T> __device__ T half_of(T a) { return a / 2; }
template <class T> __device__ T made() { return T(7); }
template <class To, class From> __device__ To converted(From a) { return (To)a; }

extern "C" __global__ void test(int *out)
{
    out[0] = half_of<int>(7);
    out[1] = (int)(half_of<float>(7) * 100);
    out[2] = (int)(half_of<double>(9) * 100);
    out[3] = half_of<unsigned char>(255);
    out[4] = made<short>() + (int)made<float>();
    out[5] = converted<unsigned char, int>(300);
    out[6] = converted<int, float>(2.75f);
    out[7] = (int)converted<unsigned long long, int>(-1 + *out);
}
