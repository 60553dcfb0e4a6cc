/* Inclusive and exclusive scans over the threads of a tile or a coalesced group. */
#pragma once
#include <weft/group_operators.h>

namespace cooperative_groups {
namespace __v1 {

namespace __weft {

template <typename T, typename Op, unsigned int Size, typename Parent>
__WEFT_CG_FUNCTION T scan_in(const thread_block_tile<Size, Parent> &group, T value, Op &op) {
    return scan_of_tile(maker<thread_block_tile<Size, Parent>>::mask(group), Size, group.thread_rank(), value, op);
}
template <typename T, typename Op>
__WEFT_CG_FUNCTION T scan_in(const coalesced_group &group, T value, Op &op) {
    if (group.size() == 32)
        return scan_of_tile(0xffffffffu, 32, group.thread_rank(), value, op);
    return scan_with_gaps(maker<coalesced_group>::mask(group), value, op);
}
/* Other groups are not supported, by CUDA either. */
template <typename T, typename Op, typename Group>
__WEFT_CG_FUNCTION T scan_in(const Group &, T value, Op &) {
    static_assert(sizeof(Group) == 0, "a scan is for tiles and coalesced groups");
    return value;
}

/* The value of the thread with the rank before. */
template <unsigned int Size, typename Parent, typename T>
__WEFT_CG_FUNCTION T shift(const thread_block_tile<Size, Parent> &group, const T &value) {
    return shuffle_up(maker<thread_block_tile<Size, Parent>>::mask(group), value, 1, Size);
}
template <typename T>
__WEFT_CG_FUNCTION T shift(const coalesced_group &group, const T &value) {
    unsigned int mask = maker<coalesced_group>::mask(group), rank = group.thread_rank();
    return shuffle(mask, value, lane_of_rank(mask, rank == 0 ? 0 : rank - 1), 32);
}

/* The value of the thread before; of integers, sums are taken apart instead. */
template <typename T, typename Op>
__WEFT_CG_FUNCTION T exclude(const T &scanned, const T &value, T before, unsigned int rank) {
    if constexpr (is_integral<T>::value && __is_same(Op, plus<T>))
        return scanned - value;
    else
        return rank == 0 ? T() : before;
}

} // namespace __weft

template <typename Group, typename T, typename Op>
__WEFT_CG_FUNCTION auto inclusive_scan(const Group &group, T &&value, Op &&op) -> decltype(op(value, value)) {
    static_assert(__is_same(__weft::remove_qual<T>, decltype(op(value, value))), "the operator must give the type of the value");
    return __weft::scan_in<__weft::remove_qual<T>, __weft::remove_qual<Op>>(group, value, op);
}
template <typename Group, typename T>
__WEFT_CG_FUNCTION __weft::remove_qual<T> inclusive_scan(const Group &group, T &&value) {
    plus<__weft::remove_qual<T>> sum;
    return __weft::scan_in<__weft::remove_qual<T>, plus<__weft::remove_qual<T>>>(group, value, sum);
}
template <typename Group, typename T, typename Op>
__WEFT_CG_FUNCTION auto exclusive_scan(const Group &group, T &&value, Op &&op) -> decltype(op(value, value)) {
    static_assert(__is_same(__weft::remove_qual<T>, decltype(op(value, value))), "the operator must give the type of the value");
    __weft::remove_qual<T> own = value;
    auto scanned = __weft::scan_in<__weft::remove_qual<T>, __weft::remove_qual<Op>>(group, own, op);
    auto before = __weft::shift(group, scanned);
    return __weft::exclude<__weft::remove_qual<T>, __weft::remove_qual<Op>>(scanned, own, before, group.thread_rank());
}
template <typename Group, typename T>
__WEFT_CG_FUNCTION __weft::remove_qual<T> exclusive_scan(const Group &group, T &&value) {
    return exclusive_scan(group, value, plus<__weft::remove_qual<T>>());
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
