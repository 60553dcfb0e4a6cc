// A value whose type is a parameter before it.
template <class T, T V> __device__ T constant() { return V; }
template <class T, T LOW, T HIGH> __device__ T clamped(T a) { return a < LOW ? LOW : a > HIGH ? HIGH : a; }
enum Color { RED = 2, GREEN };

extern "C" __global__ void test(int *out)
{
    out[0] = constant<int, -4>();
    out[1] = constant<unsigned char, 200>();
    out[2] = constant<bool, true>();
    out[3] = constant<Color, GREEN>();
    out[4] = (int)(constant<long long, 5000000000>() / 1000);
    out[5] = clamped<int, 0, 255>(300);
    out[6] = clamped<signed char, -5, 5>(-100);
    out[7] = clamped<unsigned, 3u, 9>(4);
}
