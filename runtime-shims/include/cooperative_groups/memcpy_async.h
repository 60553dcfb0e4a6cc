/* Copies that the threads of a group make together, without waiting for them: from global to shared memory by instructions, from sm_80 on. */
#pragma once
#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>

namespace cooperative_groups {
namespace __v1 {

namespace __weft {

/* What an instruction copies. */
template <unsigned int Size>
struct __align__(Size) segment {
    int words[Size / 4];
};

template <typename Group, typename T>
__WEFT_CG_FUNCTION void copy_elements(const Group &group, T *to, const T *from, size_t count) {
    for (size_t i = group.thread_rank(); i < count; i += group.size())
        to[i] = from[i];
}

template <unsigned int Size, typename Group>
__WEFT_CG_FUNCTION void copy_segments(const Group &group, void *to, const void *from, size_t count) {
    segment<Size> *to_segments = (segment<Size> *)to;
    const segment<Size> *from_segments = (const segment<Size> *)from;
    if (__isShared(to) && __isGlobal(from)) {
        for (size_t i = group.thread_rank(); i < count; i += group.size())
            __pipeline_memcpy_async(to_segments + i, from_segments + i, Size);
    } else {
        copy_elements(group, to_segments, from_segments, count);
    }
}

/* Segments as large as both addresses are aligned alike, and bytes before and after them. */
template <unsigned int Size, typename Group>
__WEFT_CG_FUNCTION void copy_bytes(const Group &group, void *to, const void *from, size_t count) {
    size_t n_before = -(size_t)from & (Size - 1);
    n_before = n_before < count ? n_before : count;
    size_t n_segments = (count - n_before) / Size, n_copied = n_before + n_segments * Size;
    copy_elements(group, (char *)to, (const char *)from, n_before);
    copy_segments<Size>(group, (char *)to + n_before, (const char *)from + n_before, n_segments);
    copy_elements(group, (char *)to + n_copied, (const char *)from + n_copied, count - n_copied);
}

/* `Align` is what the type of the elements says of both addresses. */
template <size_t Align, typename Group>
__WEFT_CG_FUNCTION void copy(const Group &group, void *to, const void *from, size_t count) {
    if constexpr (Align >= 16) {
        copy_segments<16>(group, to, from, count / 16);
    } else if constexpr (Align >= 4) {
        copy_segments<Align>(group, to, from, count / Align);
    } else {
        unsigned int difference = (unsigned int)(size_t)to ^ (unsigned int)(size_t)from;
        if (difference % 16 == 0)
            copy_bytes<16>(group, to, from, count);
        else if (difference % 8 == 0)
            copy_bytes<8>(group, to, from, count);
        else if (difference % 4 == 0)
            copy_bytes<4>(group, to, from, count);
        else
            copy_elements(group, (char *)to, (const char *)from, count);
    }
}

template <typename T>
struct alignment {
    static constexpr size_t value = alignof(T);
};
template <>
struct alignment<void> {
    static constexpr size_t value = 1;
};

template <typename Group>
struct has_shared_memory {
    static constexpr bool value = false;
};
template <>
struct has_shared_memory<thread_block> {
    static constexpr bool value = true;
};
template <>
struct has_shared_memory<coalesced_group> {
    static constexpr bool value = true;
};
template <unsigned int Size, typename Parent>
struct has_shared_memory<thread_block_tile<Size, Parent>> {
    static constexpr bool value = true;
};

} // namespace __weft

/* `count` is in bytes. */
template <typename Group, typename T, typename Size>
static __WEFT_CG_FUNCTION void memcpy_async(const Group &group, T *__restrict__ to, const T *__restrict__ from, const Size &count) {
    static_assert(__weft::has_shared_memory<Group>::value, "memcpy_async is for groups within a block");
    static_assert(__weft::is_integral<Size>::value, "the number of bytes must be an integer");
    __weft::copy<__weft::alignment<T>::value>(group, to, from, count);
    __pipeline_commit();
}

/* The counts are in elements; the smaller one is copied. */
template <typename Group, typename T, typename ToCount, typename FromCount>
static __WEFT_CG_FUNCTION void memcpy_async(const Group &group, T *__restrict__ to, const ToCount &to_count, const T *__restrict__ from, const FromCount &from_count) {
    static_assert(__weft::has_shared_memory<Group>::value, "memcpy_async is for groups within a block");
    size_t to_elements = to_count, from_elements = from_count;
    size_t count = to_elements < from_elements ? to_elements : from_elements;
    __weft::copy<alignof(T)>(group, to, from, count * sizeof(T));
    __pipeline_commit();
}

template <unsigned int Stage, typename Group>
static __WEFT_CG_FUNCTION void wait_prior(const Group &group) {
    __pipeline_wait_prior(Stage);
    group.sync();
}

template <typename Group>
static __WEFT_CG_FUNCTION void wait(const Group &group) {
    __pipeline_wait_prior(0);
    group.sync();
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
