// Addresses of instances: with explicit arguments, deduced from the type that is wanted, in tables, as arguments.
template <class T> __device__ T twice(T a) { return a + a; }
template <class T> __device__ T square(T a) { return a * a; }
template <int N> __device__ int plus(int a) { return a + N; }
__device__ int apply(int (*f)(int), int a) { return f(a); }
__device__ int (*const table[3])(int) = {plus<1>, &plus<10>, square<int>};
typedef float (*unary)(float);
__device__ unary chosen(bool squared) { return squared ? square<float> : twice<float>; }

extern "C" __global__ void test(int *out)
{
    float (*p)(float) = twice<float>;
    int (*deduced)(int) = square;
    int (*q)(int) = &plus<5>;
    double (&r)(double) = twice;
    out[0] = (int)(p(1.5f) * 10);
    out[1] = deduced(7);
    out[2] = q(1);
    out[3] = (int)(r(2.5) * 10);
    out[4] = apply(twice<int>, 8);
    out[5] = apply(square, 9);
    for (int i = 0; i < 3; i++) out[6 + i] = table[i](4);
    out[9] = (int)chosen(*out > 0)(3.0f);
    q = twice;
    out[10] = q(6) + (p == &twice<float>);
    out[11] = apply(static_cast<int (*)(int)>(twice), 3);
}
