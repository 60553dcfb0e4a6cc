/* What reductions and scans of cooperative groups share: operators, and scans in a warp. The order of the operations is that of CUDA's
   headers, so that floating-point results are the same. */
#pragma once
#include <cooperative_groups.h>

namespace cooperative_groups {
namespace __v1 {

template <typename T>
struct plus {
    constexpr __forceinline__ __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
template <typename T>
struct less {
    __forceinline__ __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T>
struct greater {
    __forceinline__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T>
struct bit_and {
    constexpr __forceinline__ __host__ __device__ T operator()(const T &a, const T &b) const { return a & b; }
};
template <typename T>
struct bit_or {
    constexpr __forceinline__ __host__ __device__ T operator()(const T &a, const T &b) const { return a | b; }
};
template <typename T>
struct bit_xor {
    constexpr __forceinline__ __host__ __device__ T operator()(const T &a, const T &b) const { return a ^ b; }
};

namespace __weft {

/* The lane of the thread with that rank in a group. */
__WEFT_CG_FUNCTION unsigned int lane_of_rank(unsigned int mask, unsigned int rank) {
    unsigned int lane = 0;
    for (unsigned int n_lanes = 16; n_lanes != 0; n_lanes /= 2) {
        unsigned int n_lower = __popc(mask & ((1u << n_lanes) - 1));
        if (rank >= n_lower) {
            rank -= n_lower;
            mask >>= n_lanes;
            lane += n_lanes;
        }
    }
    return lane;
}

/* Each thread's value combined with those of the threads before it, in groups with gaps. */
template <typename T, typename Op>
__WEFT_CG_FUNCTION T scan_with_gaps(unsigned int mask, T value, Op &op) {
    unsigned int size = __popc(mask), rank = __popc(mask & lanes_before());
    for (unsigned int distance = 1; distance < size; distance *= 2) {
        T other = shuffle(mask, value, lane_of_rank(mask, distance <= rank ? rank - distance : rank), 32);
        if (distance <= rank)
            value = op(value, other);
    }
    return value;
}

/* The same in a tile, or in a whole warp. */
template <typename T, typename Op>
__WEFT_CG_FUNCTION T scan_of_tile(unsigned int mask, unsigned int size, unsigned int rank, T value, Op &op) {
    for (unsigned int distance = 1; distance < size; distance *= 2) {
        T other = shuffle_up(mask, value, distance, size);
        if (distance <= rank)
            value = op(value, other);
    }
    return value;
}

} // namespace __weft

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
