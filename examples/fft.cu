// fft: discrete Fourier transforms of N complex numbers each, a block for each, with a class template for
// complex numbers.
//
// The transform of N points is those of the points at even and at odd places, put together. It is done in
// place, in shared memory, after the points are brought to the places with reversed bits. The length is a
// template parameter, so that all loops have constant bounds; INVERSE changes the sign and divides by N.
//
// Launch:  one block of N / 2 threads for each transform
// x        gridDim.x times N complex numbers, real part first; read
// out      gridDim.x times N complex numbers, written; may be x

template <typename T>
class Complex {
public:
    Complex() = default;
    __device__ constexpr Complex(T re, T im = 0) : re_(re), im_(im) {}

    // A number of length 1: e^(i * pi * turns).
    static __device__ Complex unit(T half_turns)
    {
        T sine, cosine;
        sin_cos_pi(half_turns, &sine, &cosine);
        return {cosine, sine};
    }

    __device__ constexpr T re() const { return re_; }
    __device__ constexpr T im() const { return im_; }

    __device__ Complex &operator*=(T factor)
    {
        re_ *= factor;
        im_ *= factor;
        return *this;
    }

private:
    T re_, im_;

    static __device__ void sin_cos_pi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); }
    static __device__ void sin_cos_pi(double x, double *sine, double *cosine) { sincospi(x, sine, cosine); }
};

template <typename T>
__device__ constexpr Complex<T> operator+(const Complex<T> &a, const Complex<T> &b)
{
    return {a.re() + b.re(), a.im() + b.im()};
}

template <typename T>
__device__ constexpr Complex<T> operator-(const Complex<T> &a, const Complex<T> &b)
{
    return {a.re() - b.re(), a.im() - b.im()};
}

template <typename T>
__device__ constexpr Complex<T> operator*(const Complex<T> &a, const Complex<T> &b)
{
    return {a.re() * b.re() - a.im() * b.im(), a.re() * b.im() + a.im() * b.re()};
}

__host__ __device__ constexpr int log2_of(int n) { return n == 1 ? 0 : 1 + log2_of(n / 2); }

template <typename T, int N, bool INVERSE>
__global__ void __launch_bounds__(N / 2) fft(const Complex<T> *x, Complex<T> *out)
{
    constexpr int BITS = log2_of(N);
    static_assert(N == 1 << BITS && N >= 2 && N <= 2048, "a power of two that a block can do");
    __shared__ Complex<T> point[N];

    x += (long long)blockIdx.x * N;
    out += (long long)blockIdx.x * N;
    for (int i = threadIdx.x; i < N; i += N / 2)
        point[__brev(i) >> (32 - BITS)] = x[i];
    __syncthreads();

    for (int half = 1; half < N; half *= 2) {
        const int within = threadIdx.x % half, low = threadIdx.x / half * 2 * half + within;
        const Complex<T> even = point[low];
        const Complex<T> odd = Complex<T>::unit((INVERSE ? T(1) : T(-1)) * within / half) * point[low + half];
        point[low] = even + odd;
        point[low + half] = even - odd;
        __syncthreads();
    }

    for (int i = threadIdx.x; i < N; i += N / 2) {
        if constexpr (INVERSE)
            point[i] *= T(1) / N;
        out[i] = point[i];
    }
}

template __global__ void fft<float, 64, false>(const Complex<float> *, Complex<float> *);
template __global__ void fft<float, 64, true>(const Complex<float> *, Complex<float> *);
template __global__ void fft<double, 16, false>(const Complex<double> *, Complex<double> *);
