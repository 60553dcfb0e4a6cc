/* Reductions of the values of the threads of a tile or a coalesced group. */
#pragma once
#include <weft/group_operators.h>

namespace cooperative_groups {
namespace __v1 {

namespace __weft {

/* What an operator does by an instruction, for integers of up to 32 bits. */
template <typename Op>
struct reduction {
    static constexpr bool has_instruction = false;
};
#if __CUDA_ARCH__ >= 800
#define __WEFT_CG_REDUCTION(Operator, intrinsic)                                                                         \
    template <typename T>                                                                                                \
    struct reduction<Operator<T>> {                                                                                      \
        static constexpr bool has_instruction = is_integral<T>::value && sizeof(T) <= 4;                                 \
        __WEFT_CG_STATIC T run(unsigned int mask, T value) {                                                             \
            if constexpr (T(-1) < T(0))                                                                                  \
                return static_cast<T>(intrinsic(mask, static_cast<int>(value)));                                         \
            else                                                                                                         \
                return static_cast<T>(intrinsic(mask, static_cast<unsigned int>(value)));                                \
        }                                                                                                                \
    };
__WEFT_CG_REDUCTION(plus, __reduce_add_sync)
__WEFT_CG_REDUCTION(less, __reduce_min_sync)
__WEFT_CG_REDUCTION(greater, __reduce_max_sync)
__WEFT_CG_REDUCTION(bit_and, __reduce_and_sync)
__WEFT_CG_REDUCTION(bit_or, __reduce_or_sync)
__WEFT_CG_REDUCTION(bit_xor, __reduce_xor_sync)
#undef __WEFT_CG_REDUCTION
#endif

template <typename T, typename Op>
__WEFT_CG_FUNCTION T reduce_tile(unsigned int mask, unsigned int size, T value, Op &op) {
    for (unsigned int distance = size / 2; distance != 0; distance /= 2)
        value = op(value, shuffle_xor(mask, value, distance, size));
    return value;
}


template <typename T, typename Op, unsigned int Size, typename Parent>
__WEFT_CG_FUNCTION T reduce_in(const thread_block_tile<Size, Parent> &group, T value, Op &op) {
    unsigned int mask = maker<thread_block_tile<Size, Parent>>::mask(group);
    if constexpr (Size >= 16 && reduction<Op>::has_instruction)
        return reduction<Op>::run(mask, value);
    else
        return reduce_tile(mask, Size, value, op);
}
template <typename T, typename Op>
__WEFT_CG_FUNCTION T reduce_in(const coalesced_group &group, T value, Op &op) {
    unsigned int mask = maker<coalesced_group>::mask(group);
    if constexpr (reduction<Op>::has_instruction)
        return reduction<Op>::run(mask, value);
    if (group.size() == 32)
        return reduce_tile(0xffffffffu, 32, value, op);
    value = scan_with_gaps(mask, value, op);
    return shuffle(mask, value, 31 - __clz(mask), 32);
}
/* Other groups are not supported, by CUDA either. */
template <typename T, typename Op, typename Group>
__WEFT_CG_FUNCTION T reduce_in(const Group &, T value, Op &) {
    static_assert(sizeof(Group) == 0, "reduce is for tiles and coalesced groups");
    return value;
}

/* Nothing for the operators of this library. */
template <typename Op, typename T> struct of_program { typedef T type; };
template <typename U, typename T> struct of_program<plus<U>, T> {};
template <typename U, typename T> struct of_program<less<U>, T> {};
template <typename U, typename T> struct of_program<greater<U>, T> {};
template <typename U, typename T> struct of_program<bit_and<U>, T> {};
template <typename U, typename T> struct of_program<bit_or<U>, T> {};
template <typename U, typename T> struct of_program<bit_xor<U>, T> {};

} // namespace __weft

namespace details {

/* CUDA's header has one here, too, which calls without a namespace find by the base of tiles: with an operator of the program's they are
   ambiguous. */
template <typename Group, typename T, typename Op>
typename __weft::of_program<__weft::remove_qual<Op>, __weft::remove_qual<T>>::type __device__ reduce(const Group &group, T &&value, Op &&op);

} // namespace details

template <typename Group, typename T, typename Op>
__WEFT_CG_FUNCTION auto reduce(const Group &group, T &&value, Op &&op) -> decltype(op(value, value)) {
    static_assert(__is_same(__weft::remove_qual<T>, decltype(op(value, value))), "the operator must give the type of the value");
    return __weft::reduce_in<__weft::remove_qual<T>, __weft::remove_qual<Op>>(group, value, op);
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
