// block_reduce: one value for each block, by any operation that is associative and commutative, of any type
// that a shuffle moves.
//
// The operation is a template parameter: an empty class with a call operator and a neutral value. So the
// compiler knows it, and the loop is the same code that one would write by hand for it. A second launch with
// one block reduces the results of the first.
//
// Launch:  any number of blocks of BLOCK threads, a multiple of 32
// n        elements in x
// x        n elements, read
// out      one element for each block, written: the operation over the elements that the block strides over

template <typename T>
struct Sum {
    static __device__ T neutral() { return T(0); }
    __device__ T operator()(T a, T b) const { return a + b; }
};

template <typename T>
struct Bits {
    static __device__ T neutral() { return T(0); }
    __device__ T operator()(T a, T b) const { return a | b; }
};

// A value and where it is: the greatest one, and the first of those that are equal.
struct Place {
    float value;
    int idx;
};

struct Greatest {
    static __device__ Place neutral() { return {-__int_as_float(0x7f800000), 0x7fffffff}; }
    __device__ Place operator()(Place a, Place b) const
    {
        return a.value > b.value || (a.value == b.value && a.idx < b.idx) ? a : b;
    }
};

template <typename T>
__device__ T from_lane_below(T value, int distance)
{
    return __shfl_down_sync(0xffffffff, value, distance);
}

__device__ Place from_lane_below(Place place, int distance)
{
    return {from_lane_below(place.value, distance), from_lane_below(place.idx, distance)};
}

template <typename T, typename Op>
__device__ T warp_reduce(T value, Op op)
{
    for (int distance = warpSize / 2; distance > 0; distance /= 2)
        value = op(value, from_lane_below(value, distance));
    return value;
}

typedef unsigned long long Index;

template <typename T, typename Op, int BLOCK>
__global__ void __launch_bounds__(BLOCK) block_reduce(Index n, const T *__restrict__ x, T *__restrict__ out)
{
    static_assert(BLOCK % 32 == 0 && BLOCK <= 1024, "whole warps, as many as a warp has lanes");
    __shared__ T of_warp[BLOCK / 32];

    const Op op;
    const Index stride = (Index)gridDim.x * BLOCK;
    T value = Op::neutral();
    for (Index i = (Index)blockIdx.x * BLOCK + threadIdx.x; i < n; i += stride)
        value = op(value, x[i]);

    value = warp_reduce(value, op);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = value;
    __syncthreads();

    if (threadIdx.x < 32) {
        value = warp_reduce(threadIdx.x < BLOCK / 32 ? of_warp[threadIdx.x] : Op::neutral(), op);
        if (threadIdx.x == 0)
            out[blockIdx.x] = value;
    }
}

template __global__ void block_reduce<float, Sum<float>, 256>(Index, const float *, float *);
template __global__ void block_reduce<double, Sum<double>, 96>(Index, const double *, double *);
template __global__ void block_reduce<unsigned, Bits<unsigned>, 128>(Index, const unsigned *, unsigned *);
template __global__ void block_reduce<Place, Greatest, 64>(Index, const Place *, Place *);
