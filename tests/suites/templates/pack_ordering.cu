// Which of several templates with packs is meant, specializations, and addresses.
template <class T> __device__ int a(T) { return 1; }
template <class T, class... R> __device__ int a(T, R...) { return 2; }
template <class... R> __device__ int a(R...) { return 3; }
template <class T, class U> __device__ int b(T, U) { return 1; }
template <class T, class... R> __device__ int b(T, R...) { return 2; }
template <class... R> __device__ int c(R *...) { return 1; }
template <class... R> __device__ int c(R...) { return 2; }
template <class... R> __device__ int d(const R &...) { return 1; }
template <class R> __device__ int d(const R &, const R &) { return 2; }
template <class T, class... R> __device__ int e(T, R...) { return 1; }
template <class T, class... R> __device__ int e(T *, R *...) { return 2; }
template <class... A> __device__ int h(int (*)(A...)) { return 1; }
template <class A> __device__ int h(int (*)(A)) { return 2; }
__device__ int one(int) { return 0; }
__device__ int two(int, int) { return 0; }
__device__ int k(int, ...) { return 5; }
template <class... T> __device__ int k(T...) { return 6; }
template <class... T> __device__ int m(T..., ...) { return sizeof...(T); }
template <class... T> __device__ int o(T... a) { return 1; }
template <> __device__ int o<int, float>(int, float) { return 2; }
template <> __device__ int o(int, int) { return 3; }
template <> __device__ int o<>() { return 4; }

extern "C" __global__ void test(int *out)
{
    int x; float f;
    out[0] = a(1) * 100 + a(1, 2) * 10 + a();
    out[1] = b(1, 2) * 100 + b(1) * 10 + b(1, 2, 3);
    out[2] = c(&x, &f) * 100 + c(1, 2) * 10 + c(&x);
    out[3] = d(1, 2) * 10 + d(1, 2.0f);
    out[4] = e(&x, &f) * 100 + e(&x, 1) * 10 + e(&x);
    out[5] = h(one) * 10 + h(two);
    out[6] = k(1, 2) * 10 + k();
    int (*pf)(int, float) = o<int, float>;
    int (*pg)(int, int) = &o;
    int (*ph)(char, float) = o<char>;
    out[7] = o(1, 2.0f) * 1000 + o(1, 2) * 100 + o() * 10 + o('a');
    out[8] = pf(1, 2.0f) * 100 + pg(1, 2) * 10 + ph('a', 1.0f);
    out[9] = m<int, int>(1, 2, 3);
}
