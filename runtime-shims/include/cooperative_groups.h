/* Cooperative groups: threads that synchronize and exchange values. Types, names and layouts are those of CUDA's header, so that groups can be
   passed to functions that nvcc compiles. */
#pragma once

#define _CG_VERSION 1000
#define _CG_ABI_VERSION 1
#if __CUDA_ARCH__ >= 600
#define _CG_HAS_GRID_GROUP
#endif
#if __CUDA_ARCH__ >= 700
#define _CG_HAS_MATCH_COLLECTIVE
#endif
#if __CUDA_ARCH__ >= 900
#define _CG_HAS_CLUSTER_GROUP
#endif

#define __WEFT_CG_FUNCTION __forceinline__ __device__
#define __WEFT_CG_STATIC static __forceinline__ __device__
#ifdef __LP64__
#define __WEFT_CG_ADDRESS "l"
#else
#define __WEFT_CG_ADDRESS "r"
#endif

namespace cooperative_groups {
namespace __v1 {

namespace __weft {

/* What a group is, in its first byte. */
constexpr unsigned int coalesced_group_id = 1;
constexpr unsigned int grid_group_id = 3;
constexpr unsigned int thread_block_id = 4;
constexpr unsigned int cluster_group_id = 6;

/* What the driver allocates for a cooperative launch. */
struct grid_workspace {
    unsigned int size;
    unsigned int barrier;
};

/* Makes groups, whose constructors are not public. */
template <typename Group>
struct maker {
    __WEFT_CG_STATIC Group of_nothing() { return Group(); }
    __WEFT_CG_STATIC Group of_mask(unsigned int mask, unsigned int meta_rank, unsigned int meta_size) {
        return Group(mask, meta_rank, meta_size);
    }
    __WEFT_CG_STATIC Group of_workspace(grid_workspace *workspace) { return Group(workspace); }
    __WEFT_CG_STATIC unsigned int mask(const Group &group) { return group.mask(); }
};

/* The coordinates of one of many, as a number. */
__WEFT_CG_FUNCTION unsigned int rank_in(uint3 place, dim3 size) {
    return (place.z * size.y + place.y) * size.x + place.x;
}
__WEFT_CG_FUNCTION unsigned long long wide_rank_in(uint3 place, dim3 size) {
    return (unsigned long long)place.z * size.y * size.x + (unsigned long long)place.y * size.x + place.x;
}

__WEFT_CG_FUNCTION unsigned int block_rank() { return rank_in(threadIdx, blockDim); }
__WEFT_CG_FUNCTION unsigned int block_size() { return blockDim.x * blockDim.y * blockDim.z; }

__WEFT_CG_FUNCTION unsigned int lane() {
    unsigned int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
__WEFT_CG_FUNCTION unsigned int lanes_before() {
    unsigned int mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

/* A type without `const`, `volatile` and references. */
template <typename T> struct plain { typedef T type; };
template <typename T> struct plain<const T> { typedef T type; };
template <typename T> struct plain<volatile T> { typedef T type; };
template <typename T> struct plain<const volatile T> { typedef T type; };
template <typename T> struct plain<T &> { typedef typename plain<T>::type type; };
template <typename T> struct plain<T &&> { typedef typename plain<T>::type type; };
template <typename T> using remove_qual = typename plain<T>::type;

template <typename T> struct is_integral { static constexpr bool value = false; };
template <> struct is_integral<bool> { static constexpr bool value = true; };
template <> struct is_integral<char> { static constexpr bool value = true; };
template <> struct is_integral<signed char> { static constexpr bool value = true; };
template <> struct is_integral<unsigned char> { static constexpr bool value = true; };
template <> struct is_integral<short> { static constexpr bool value = true; };
template <> struct is_integral<unsigned short> { static constexpr bool value = true; };
template <> struct is_integral<int> { static constexpr bool value = true; };
template <> struct is_integral<unsigned int> { static constexpr bool value = true; };
template <> struct is_integral<long> { static constexpr bool value = true; };
template <> struct is_integral<unsigned long> { static constexpr bool value = true; };
template <> struct is_integral<long long> { static constexpr bool value = true; };
template <> struct is_integral<unsigned long long> { static constexpr bool value = true; };

template <typename T> struct is_pointer { static constexpr bool value = false; };
template <typename T> struct is_pointer<T *> { static constexpr bool value = true; };

/* Shuffles of any type: by the instruction, or word by word. */
#define __WEFT_CG_SHUFFLE(shuffle, intrinsic)                                                                            \
    template <typename T>                                                                                                \
    __WEFT_CG_FUNCTION T shuffle(unsigned int mask, T value, unsigned int lane, unsigned int width) {                    \
        if constexpr (is_integral<T>::value || __is_same(T, float) || __is_same(T, double)) {                            \
            return static_cast<T>(intrinsic(mask, value, lane, width));                                                  \
        } else {                                                                                                         \
            static_assert(sizeof(T) <= 32, "values of more than 32 bytes cannot be shuffled");                           \
            static_assert(__is_trivially_copyable(T), "only trivially copyable values can be shuffled");                 \
            int words[(sizeof(T) + 3) / 4];                                                                              \
            memcpy(words, &value, sizeof(T));                                                                            \
            for (int i = 0; i < (sizeof(T) + 3) / 4; i++)                                                                \
                words[i] = intrinsic(mask, words[i], lane, width);                                                       \
            memcpy(&value, words, sizeof(T));                                                                            \
            return value;                                                                                                \
        }                                                                                                                \
    }
__WEFT_CG_SHUFFLE(shuffle, __shfl_sync)
__WEFT_CG_SHUFFLE(shuffle_up, __shfl_up_sync)
__WEFT_CG_SHUFFLE(shuffle_down, __shfl_down_sync)
__WEFT_CG_SHUFFLE(shuffle_xor, __shfl_xor_sync)
#undef __WEFT_CG_SHUFFLE

/* The memory that the blocks of CUDA's runtime library reserve for tiles of several warps. */
__WEFT_CG_FUNCTION void *scratch() {
#if __CUDA_ARCH__ >= 800 && defined(__LP64__)
    unsigned long long address;
    asm("{ .reg .u32 start; .reg .u64 wide; mov.u32 start, %%reserved_smem_offset_1; cvt.u64.u32 wide, start; cvta.shared.u64 %0, wide; }"
        : "=l"(address));
    return (void *)address;
#else
    return nullptr;
#endif
}

__WEFT_CG_FUNCTION grid_workspace *workspace() {
    unsigned int low, high;
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    return (grid_workspace *)(size_t)((unsigned long long)high << 32 | low);
}

/* The first thread of each block adds 1 to the barrier, that of the first block as much as flips the upper bit
   when all have come. */
__WEFT_CG_FUNCTION unsigned int grid_arrive(unsigned int *barrier) {
    unsigned int old = 0;
    __barrier_sync(0);
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        unsigned int n_blocks = gridDim.x * gridDim.y * gridDim.z;
        unsigned int step = blockIdx.x + blockIdx.y + blockIdx.z == 0 ? 0x80000000u - (n_blocks - 1) : 1;
#if __CUDA_ARCH__ >= 700
        asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(old) : __WEFT_CG_ADDRESS(barrier), "r"(step) : "memory");
#else
        __threadfence();
        old = atomicAdd(barrier, step);
#endif
    }
    return old;
}
__WEFT_CG_FUNCTION void grid_wait(unsigned int old, unsigned int *barrier) {
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        unsigned int now;
        do {
#if __CUDA_ARCH__ >= 700
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : __WEFT_CG_ADDRESS(barrier) : "memory");
#else
            now = *(volatile unsigned int *)barrier;
#endif
        } while (((old ^ now) & 0x80000000u) == 0);
#if __CUDA_ARCH__ < 700
        __threadfence();
#endif
    }
    __barrier_sync(0);
}
__WEFT_CG_FUNCTION void grid_sync(grid_workspace *workspace) {
    if (workspace == nullptr)
        __trap();
    grid_wait(grid_arrive(&workspace->barrier), &workspace->barrier);
}

__WEFT_CG_FUNCTION unsigned long long grid_blocks() { return (unsigned long long)gridDim.x * (gridDim.y * gridDim.z); }
__WEFT_CG_FUNCTION unsigned long long grid_size() { return grid_blocks() * block_size(); }
__WEFT_CG_FUNCTION unsigned long long grid_rank() {
    return wide_rank_in(blockIdx, gridDim) * block_size() + block_rank();
}

#ifdef _CG_HAS_CLUSTER_GROUP
__WEFT_CG_FUNCTION void cluster_sync() {
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
}
__WEFT_CG_FUNCTION unsigned int cluster_size() { return __clusterSizeInBlocks() * block_size(); }
__WEFT_CG_FUNCTION unsigned int cluster_rank() { return __clusterRelativeBlockRank() * block_size() + block_rank(); }
#endif

} // namespace __weft

/* Any group. */
class thread_group {
protected:
    union __align__(8) {
        struct {
            unsigned int unused : 1;
            unsigned int type : 7, : 0;
        } group;
        struct {
            unsigned int is_tiled : 1;
            unsigned int type : 7;
            unsigned int size : 24;
            unsigned int meta_size : 16;
            unsigned int meta_rank : 16;
            unsigned int mask;
            unsigned int reserved;
        } coalesced;
        __weft::grid_workspace *workspace;
    } _data;

    friend class thread_block;
    friend __device__ thread_group tiled_partition(const thread_group &parent, unsigned int size);

    __WEFT_CG_FUNCTION thread_group(unsigned int type) {
        _data.group.type = type;
        _data.group.unused = false;
    }
    __WEFT_CG_FUNCTION void set_tile(unsigned int mask, bool is_tiled, unsigned int meta_rank, unsigned int meta_size) {
        _data.coalesced.mask = mask;
        _data.coalesced.size = __popc(mask);
        _data.coalesced.meta_rank = meta_rank;
        _data.coalesced.meta_size = meta_size;
        _data.coalesced.is_tiled = is_tiled;
    }

public:
    /* CUDA's header declares it, and does not define it. */
    thread_group &operator=(const thread_group &) = delete;

    __WEFT_CG_FUNCTION unsigned int get_type() const { return _data.group.type; }

    __WEFT_CG_FUNCTION void sync() const {
        switch (get_type()) {
        case __weft::coalesced_group_id: __syncwarp(_data.coalesced.mask); break;
        case __weft::thread_block_id: __barrier_sync(0); break;
        case __weft::grid_group_id: __weft::grid_sync(_data.workspace); break;
#ifdef _CG_HAS_CLUSTER_GROUP
        case __weft::cluster_group_id: __weft::cluster_sync(); break;
#endif
        }
    }
    __WEFT_CG_FUNCTION unsigned long long num_threads() const {
        switch (get_type()) {
        case __weft::coalesced_group_id: return _data.coalesced.size;
        case __weft::thread_block_id: return __weft::block_size();
        case __weft::grid_group_id: return __weft::grid_size();
#ifdef _CG_HAS_CLUSTER_GROUP
        case __weft::cluster_group_id: return __weft::cluster_size();
#endif
        }
        return 0;
    }
    __WEFT_CG_FUNCTION unsigned long long size() const { return num_threads(); }
    __WEFT_CG_FUNCTION unsigned long long thread_rank() const {
        switch (get_type()) {
        case __weft::coalesced_group_id: return __popc(_data.coalesced.mask & __weft::lanes_before());
        case __weft::thread_block_id: return __weft::block_rank();
        case __weft::grid_group_id: return __weft::grid_rank();
#ifdef _CG_HAS_CLUSTER_GROUP
        case __weft::cluster_group_id: return __weft::cluster_rank();
#endif
        }
        return 0;
    }
};

/* All threads of the grid; they can wait for one another if the launch is cooperative. */
class grid_group : public thread_group {
    friend __weft::maker<grid_group>;

    __WEFT_CG_FUNCTION grid_group(__weft::grid_workspace *workspace) : thread_group(__weft::grid_group_id) {
        _data.workspace = workspace;
    }

public:
    using arrival_token = unsigned int;

    grid_group &operator=(const grid_group &) = delete;

    __WEFT_CG_FUNCTION bool is_valid() const { return _data.workspace != nullptr; }
    __WEFT_CG_FUNCTION void sync() const { __weft::grid_sync(_data.workspace); }
    __WEFT_CG_FUNCTION arrival_token barrier_arrive() const {
        if (!is_valid())
            __trap();
        return __weft::grid_arrive(&_data.workspace->barrier);
    }
    __WEFT_CG_FUNCTION void barrier_wait(arrival_token &&token) const {
        __weft::grid_wait(token, &_data.workspace->barrier);
    }

    __WEFT_CG_STATIC unsigned long long size() { return __weft::grid_size(); }
    __WEFT_CG_STATIC unsigned long long num_threads() { return __weft::grid_size(); }
    __WEFT_CG_STATIC unsigned long long thread_rank() { return __weft::grid_rank(); }
    __WEFT_CG_STATIC dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __WEFT_CG_STATIC dim3 dim_threads() {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    __WEFT_CG_STATIC dim3 thread_index() {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z * blockDim.z + threadIdx.z);
    }
    __WEFT_CG_STATIC dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __WEFT_CG_STATIC unsigned long long num_blocks() { return __weft::grid_blocks(); }
    __WEFT_CG_STATIC dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __WEFT_CG_STATIC unsigned long long block_rank() { return __weft::wide_rank_in(blockIdx, gridDim); }
#ifdef _CG_HAS_CLUSTER_GROUP
    __WEFT_CG_STATIC dim3 dim_clusters() { return __clusterGridDimInClusters(); }
    __WEFT_CG_STATIC unsigned long long num_clusters() {
        dim3 size = __clusterGridDimInClusters();
        return size.x * size.y * size.z;
    }
    __WEFT_CG_STATIC dim3 cluster_index() { return __clusterIdx(); }
    __WEFT_CG_STATIC unsigned long long cluster_rank() {
        return __weft::wide_rank_in(__clusterIdx(), __clusterGridDimInClusters());
    }
#endif
};

__WEFT_CG_FUNCTION grid_group this_grid() {
    return __weft::maker<grid_group>::of_workspace(__weft::workspace());
}

#ifdef _CG_HAS_CLUSTER_GROUP
/* The threads of the blocks that share their shared memory. */
class cluster_group : public thread_group {
    friend __weft::maker<cluster_group>;

    __WEFT_CG_FUNCTION cluster_group() : thread_group(__weft::cluster_group_id) {}

public:
    struct arrival_token {};

    cluster_group &operator=(const cluster_group &) = delete;

    __WEFT_CG_STATIC void sync() { __weft::cluster_sync(); }
    __WEFT_CG_STATIC arrival_token barrier_arrive() {
        __cluster_barrier_arrive();
        return arrival_token();
    }
    __WEFT_CG_STATIC void barrier_wait() { __cluster_barrier_wait(); }
    __WEFT_CG_STATIC void barrier_wait(arrival_token &&) { __cluster_barrier_wait(); }
    __WEFT_CG_STATIC unsigned int query_shared_rank(const void *address) { return __cluster_query_shared_rank(address); }
    __WEFT_CG_STATIC dim3 block_index() { return __clusterRelativeBlockIdx(); }
    __WEFT_CG_STATIC unsigned int block_rank() { return __clusterRelativeBlockRank(); }
    __WEFT_CG_STATIC dim3 thread_index() {
        dim3 block = block_index();
        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y, block.z * blockDim.z + threadIdx.z);
    }
    __WEFT_CG_STATIC unsigned int thread_rank() { return __weft::cluster_rank(); }
    __WEFT_CG_STATIC dim3 dim_blocks() { return __clusterDim(); }
    __WEFT_CG_STATIC unsigned int num_blocks() { return __clusterSizeInBlocks(); }
    __WEFT_CG_STATIC dim3 dim_threads() {
        dim3 blocks = dim_blocks();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    __WEFT_CG_STATIC unsigned int num_threads() { return __weft::cluster_size(); }
    __WEFT_CG_STATIC unsigned int size() { return __weft::cluster_size(); }
};

__WEFT_CG_FUNCTION cluster_group this_cluster() { return __weft::maker<cluster_group>::of_nothing(); }
#endif

/* All threads of the block. */
class thread_block : public thread_group {
    friend __weft::maker<thread_block>;
    friend __device__ thread_group tiled_partition(const thread_group &parent, unsigned int size);
    friend __device__ thread_group tiled_partition(const thread_block &parent, unsigned int size);

    void *const scratch;

    __WEFT_CG_FUNCTION thread_block() : thread_group(__weft::thread_block_id), scratch(__weft::scratch()) {}

    __WEFT_CG_STATIC thread_group tile(unsigned int size) {
        if (size == 0 || size > 32 || (size & (size - 1)) != 0)
            __trap();
        unsigned int first = thread_rank() & ~(size - 1);
        unsigned int n_threads = min(num_threads() - first, size);
        unsigned int mask = 0xffffffffu >> (32 - n_threads) << (__weft::lane() & ~(size - 1));
        thread_group tile(__weft::coalesced_group_id);
        tile.set_tile(mask, true, thread_rank() / size, (num_threads() + size - 1) / size);
        return tile;
    }

public:
    struct arrival_token {};

    thread_block &operator=(const thread_block &) = delete;

    __WEFT_CG_STATIC void sync() { __barrier_sync(0); }
    __WEFT_CG_FUNCTION arrival_token barrier_arrive() const { return arrival_token(); }
    __WEFT_CG_FUNCTION void barrier_wait(arrival_token &&) const { __barrier_sync(0); }
    __WEFT_CG_STATIC unsigned int size() { return __weft::block_size(); }
    __WEFT_CG_STATIC unsigned int num_threads() { return __weft::block_size(); }
    __WEFT_CG_STATIC unsigned int thread_rank() { return __weft::block_rank(); }
    __WEFT_CG_STATIC dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __WEFT_CG_STATIC dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    __WEFT_CG_STATIC dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    __WEFT_CG_STATIC dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};

__WEFT_CG_FUNCTION thread_block this_thread_block() { return __weft::maker<thread_block>::of_nothing(); }

/* Shuffles of one type: member functions, in which `lanes` is the mask. */
#define __WEFT_CG_TYPES(function)                                                                                       \
    function(bool) function(char) function(signed char) function(unsigned char) function(short) function(unsigned short) \
    function(int) function(unsigned int) function(long) function(unsigned long) function(long long)                      \
    function(unsigned long long) function(float) function(double)

/* The threads of a warp that run together, or some of them. */
class coalesced_group : public thread_group {
    friend __weft::maker<coalesced_group>;
    friend __device__ thread_group tiled_partition(const thread_group &parent, unsigned int size);
    friend __device__ coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size);

    __WEFT_CG_FUNCTION coalesced_group(unsigned int mask, unsigned int meta_rank, unsigned int meta_size)
        : thread_group(__weft::coalesced_group_id) {
        set_tile(mask, false, meta_rank, meta_size);
    }
    __WEFT_CG_FUNCTION unsigned int mask() const { return _data.coalesced.mask; }

    /* The bits of the group's threads, side by side. */
    __WEFT_CG_FUNCTION unsigned int packed(unsigned int lanes) const {
        unsigned int bits = 0, n = 0;
        for (unsigned int left = mask(); left != 0; left &= left - 1, n++)
            bits |= (lanes >> (__ffs(left) - 1) & 1) << n;
        return bits;
    }
    __WEFT_CG_FUNCTION unsigned int lane_of(int rank) const {
        return rank == 0 ? __ffs(mask()) - 1 : size() == 32 ? rank : __fns(mask(), 0, rank + 1);
    }
    __WEFT_CG_FUNCTION unsigned int lane_from_here(int distance) const {
        unsigned int lane = __fns(mask(), __weft::lane(), distance);
        return lane >= 32 ? __weft::lane() : lane;
    }
    __WEFT_CG_FUNCTION coalesced_group tile(unsigned int n) const {
        if (n == 0 || n > 32 || (n & (n - 1)) != 0)
            __trap();
        if (size() <= n)
            return *this;
        unsigned int rank = thread_rank();
        if (_data.coalesced.is_tiled) {
            unsigned int n_threads = min(size() - (rank & ~(n - 1)), n);
            coalesced_group tile(0xffffffffu >> (32 - n_threads) << (__weft::lane() & ~(n - 1)), rank / n, size() / n);
            tile._data.coalesced.is_tiled = true;
            return tile;
        }
        unsigned int lanes = 0, place = 0;
        for (unsigned int left = mask(); left != 0; left &= left - 1, place++)
            if (place / n == rank / n)
                lanes |= left & -left;
        return coalesced_group(lanes, rank / n, (size() + n - 1) / n);
    }

public:
    coalesced_group &operator=(const coalesced_group &) = delete;

    __WEFT_CG_FUNCTION unsigned int num_threads() const { return _data.coalesced.size; }
    __WEFT_CG_FUNCTION unsigned int size() const { return num_threads(); }
    __WEFT_CG_FUNCTION unsigned int thread_rank() const { return __popc(mask() & __weft::lanes_before()); }
    __WEFT_CG_FUNCTION unsigned int meta_group_rank() const { return _data.coalesced.meta_rank; }
    __WEFT_CG_FUNCTION unsigned int meta_group_size() const { return _data.coalesced.meta_size; }
    __WEFT_CG_FUNCTION void sync() const { __syncwarp(mask()); }

    template <typename T, typename R = __weft::remove_qual<T>>
    __WEFT_CG_FUNCTION R shfl(T &&value, int rank) const {
        return __weft::shuffle<R>(mask(), value, lane_of(rank), 32);
    }
    template <typename T, typename R = __weft::remove_qual<T>>
    __WEFT_CG_FUNCTION R shfl_down(T &&value, unsigned int delta) const {
        if (size() == 32)
            return __weft::shuffle_down<R>(0xffffffffu, value, delta, 32);
        return __weft::shuffle<R>(mask(), value, lane_from_here(delta + 1), 32);
    }
    template <typename T, typename R = __weft::remove_qual<T>>
    __WEFT_CG_FUNCTION R shfl_up(T &&value, int delta) const {
        if (size() == 32)
            return __weft::shuffle_up<R>(0xffffffffu, value, delta, 32);
        return __weft::shuffle<R>(mask(), value, lane_from_here(-(delta + 1)), 32);
    }

    __WEFT_CG_FUNCTION int any(int predicate) const { return __ballot_sync(mask(), predicate) != 0; }
    __WEFT_CG_FUNCTION int all(int predicate) const { return __ballot_sync(mask(), predicate) == mask(); }
    __WEFT_CG_FUNCTION unsigned int ballot(int predicate) const {
        unsigned int lanes = __ballot_sync(mask(), predicate);
        return size() == 32 ? lanes : packed(lanes);
    }
#define __WEFT_CG_MATCHES(T)                                                                                             \
    __WEFT_CG_FUNCTION unsigned int match_any(T value) const {                                                           \
        unsigned int lanes = __match_any_sync(mask(), value);                                                            \
        return size() == 32 ? lanes : packed(lanes);                                                                     \
    }                                                                                                                    \
    __WEFT_CG_FUNCTION unsigned int match_all(T value, int &predicate) const {                                           \
        unsigned int lanes = __match_all_sync(mask(), value, &predicate);                                                \
        return size() == 32 ? lanes : packed(lanes);                                                                     \
    }
    __WEFT_CG_MATCHES(int) __WEFT_CG_MATCHES(unsigned int) __WEFT_CG_MATCHES(long) __WEFT_CG_MATCHES(unsigned long)
    __WEFT_CG_MATCHES(long long) __WEFT_CG_MATCHES(unsigned long long) __WEFT_CG_MATCHES(float) __WEFT_CG_MATCHES(double)
#undef __WEFT_CG_MATCHES
};

__WEFT_CG_FUNCTION coalesced_group coalesced_threads() {
    return __weft::maker<coalesced_group>::of_mask(__activemask(), 0, 1);
}

namespace details {

/* What tiles of one size have in common. */
template <unsigned int Size>
class tile_base {
    typedef int size_is_a_power_of_two_up_to_32[Size != 0 && Size <= 32 && (Size & (Size - 1)) == 0 ? 1 : -1];

protected:
    __WEFT_CG_STATIC unsigned int mask() {
        return Size == 32 ? 0xffffffffu : 0xffffffffu >> (32 - Size) << (__weft::lane() & ~(Size - 1));
    }
    __WEFT_CG_STATIC unsigned int own(unsigned int lanes) { return lanes >> (__weft::lane() & ~(Size - 1)); }

public:
    __WEFT_CG_STATIC unsigned int thread_rank() { return __weft::block_rank() & (Size - 1); }
    static constexpr __forceinline__ __device__ unsigned int num_threads() { return Size; }
    static constexpr __forceinline__ __device__ unsigned int size() { return Size; }
    __WEFT_CG_STATIC void sync() { __syncwarp(mask()); }

    template <typename T, typename R = __weft::remove_qual<T>>
    __WEFT_CG_FUNCTION R shfl(T &&value, int rank) const {
        return __weft::shuffle<R>(mask(), value, rank, Size);
    }
    template <typename T, typename R = __weft::remove_qual<T>>
    __WEFT_CG_FUNCTION R shfl_down(T &&value, unsigned int delta) const {
        return __weft::shuffle_down<R>(mask(), value, delta, Size);
    }
    template <typename T, typename R = __weft::remove_qual<T>>
    __WEFT_CG_FUNCTION R shfl_up(T &&value, unsigned int delta) const {
        return __weft::shuffle_up<R>(mask(), value, delta, Size);
    }
    template <typename T, typename R = __weft::remove_qual<T>>
    __WEFT_CG_FUNCTION R shfl_xor(T &&value, unsigned int lanes) const {
        return __weft::shuffle_xor<R>(mask(), value, lanes, Size);
    }

    __WEFT_CG_FUNCTION int any(int predicate) const { return __ballot_sync(mask(), predicate) != 0; }
    __WEFT_CG_FUNCTION int all(int predicate) const { return __ballot_sync(mask(), predicate) == mask(); }
    __WEFT_CG_FUNCTION unsigned int ballot(int predicate) const { return own(__ballot_sync(mask(), predicate)); }
#define __WEFT_CG_MATCHES(T)                                                                                             \
    __WEFT_CG_FUNCTION unsigned int match_any(T value) const { return own(__match_any_sync(mask(), value)); }            \
    __WEFT_CG_FUNCTION unsigned int match_all(T value, int &predicate) const {                                           \
        return own(__match_all_sync(mask(), value, &predicate));                                                         \
    }
    __WEFT_CG_MATCHES(int) __WEFT_CG_MATCHES(unsigned int) __WEFT_CG_MATCHES(long) __WEFT_CG_MATCHES(unsigned long)
    __WEFT_CG_MATCHES(long long) __WEFT_CG_MATCHES(unsigned long long) __WEFT_CG_MATCHES(float) __WEFT_CG_MATCHES(double)
#undef __WEFT_CG_MATCHES
};

} // namespace details

/* A tile of `Size` threads of the block or of another tile. It needs no memory unless its parent is left out. */
template <unsigned int Size, typename Parent = void>
class thread_block_tile : public details::tile_base<Size> {
    friend __weft::maker<thread_block_tile<Size, Parent>>;

    __WEFT_CG_FUNCTION thread_block_tile() {}
    __WEFT_CG_STATIC unsigned int mask() { return details::tile_base<Size>::mask(); }

public:
    __WEFT_CG_STATIC unsigned int meta_group_rank() { return Parent::thread_rank() / Size; }
    __WEFT_CG_STATIC unsigned int meta_group_size() { return (Parent::size() + Size - 1) / Size; }

    __WEFT_CG_FUNCTION operator thread_block_tile<Size, void>() const {
        return __weft::maker<thread_block_tile<Size, void>>::of_mask(mask(), meta_group_rank(), meta_group_size());
    }
};

template <unsigned int Size>
class thread_block_tile<Size, void> : public details::tile_base<Size>, public thread_group {
    friend __weft::maker<thread_block_tile<Size, void>>;

    __WEFT_CG_FUNCTION thread_block_tile(unsigned int lanes, unsigned int meta_rank, unsigned int meta_size)
        : thread_group(__weft::coalesced_group_id) {
        this->set_tile(lanes, true, meta_rank, meta_size);
        this->_data.coalesced.size = Size;
    }
    __WEFT_CG_STATIC unsigned int mask() { return details::tile_base<Size>::mask(); }

public:
    thread_block_tile &operator=(const thread_block_tile &) = delete;

    __WEFT_CG_STATIC unsigned int thread_rank() { return details::tile_base<Size>::thread_rank(); }
    static constexpr __forceinline__ __device__ unsigned int num_threads() { return Size; }
    static constexpr __forceinline__ __device__ unsigned int size() { return Size; }
    __WEFT_CG_STATIC void sync() { details::tile_base<Size>::sync(); }
    __WEFT_CG_FUNCTION unsigned int meta_group_rank() const { return this->_data.coalesced.meta_rank; }
    __WEFT_CG_FUNCTION unsigned int meta_group_size() const { return this->_data.coalesced.meta_size; }
};

__WEFT_CG_FUNCTION thread_group tiled_partition(const thread_group &parent, unsigned int size) {
    if (parent.get_type() == __weft::coalesced_group_id)
        return static_cast<const coalesced_group &>(parent).tile(size);
    return thread_block::tile(size);
}
__WEFT_CG_FUNCTION thread_group tiled_partition(const thread_block &, unsigned int size) { return thread_block::tile(size); }
__WEFT_CG_FUNCTION coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size) {
    return parent.tile(size);
}

namespace __weft {

/* Groups that have tiles of sizes in the program's text, and the number of threads that these are below. */
template <typename Parent>
struct tiles_of {
    static constexpr unsigned int limit = 0;
};
template <>
struct tiles_of<thread_block> {
    static constexpr unsigned int limit = 2048;
};
template <unsigned int Size, typename Parent>
struct tiles_of<thread_block_tile<Size, Parent>> {
    static constexpr unsigned int limit = Size;
};

} // namespace __weft

template <unsigned int Size, typename Parent>
__WEFT_CG_FUNCTION thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
    static_assert(__weft::tiles_of<Parent>::limit != 0, "tiled_partition<n> is for thread blocks and tiles");
    static_assert(__weft::tiles_of<Parent>::limit == 0 || Size < __weft::tiles_of<Parent>::limit, "a tile must be smaller than the tile that it is a part of");
    return __weft::maker<thread_block_tile<Size, Parent>>::of_nothing();
}

__WEFT_CG_FUNCTION thread_block_tile<1, void> this_thread() {
    return __weft::maker<thread_block_tile<1, void>>::of_mask(1u << __weft::lane(), 0, 1);
}

template <typename Group>
__WEFT_CG_FUNCTION void sync(const Group &group) {
    group.sync();
}
template <typename Group>
__WEFT_CG_FUNCTION auto thread_rank(const Group &group) {
    return group.thread_rank();
}
template <typename Group>
__WEFT_CG_FUNCTION auto group_size(const Group &group) {
    return group.num_threads();
}

namespace __weft {

template <typename Group>
__WEFT_CG_FUNCTION coalesced_group split(const Group &group, bool predicate) {
    unsigned int all = maker<Group>::mask(group);
    unsigned int set = __ballot_sync(all, predicate);
    if (set == all || set == 0)
        return maker<coalesced_group>::of_mask(all, 0, 1);
    return maker<coalesced_group>::of_mask(predicate ? set : all & ~set, predicate, 2);
}

} // namespace __weft

__WEFT_CG_FUNCTION coalesced_group binary_partition(const coalesced_group &group, bool predicate) {
    return __weft::split(group, predicate);
}
template <unsigned int Size, typename Parent>
__WEFT_CG_FUNCTION coalesced_group binary_partition(const thread_block_tile<Size, Parent> &group, bool predicate) {
    return __weft::split(group, predicate);
}

namespace __weft {

template <typename Group, typename Label>
__WEFT_CG_FUNCTION coalesced_group divide(const Group &group, Label label) {
    unsigned int all = maker<Group>::mask(group);
    unsigned int own = __match_any_sync(all, label);
    unsigned int first = __ffs(own) - 1;
    unsigned int firsts = __ballot_sync(all, first == lane());
    return maker<coalesced_group>::of_mask(own, __popc(firsts & ((1u << first) - 1)), __popc(firsts));
}
template <typename Group>
__WEFT_CG_FUNCTION coalesced_group divide(const Group &group, bool label) {
    return split(group, label);
}
template <typename Group, typename T>
__WEFT_CG_FUNCTION coalesced_group divide(const Group &group, T *label) {
    return divide(group, (unsigned long long)label);
}

} // namespace __weft

template <typename Label>
__WEFT_CG_FUNCTION coalesced_group labeled_partition(const coalesced_group &group, Label label) {
    static_assert(__weft::is_integral<Label>::value || __weft::is_pointer<Label>::value, "a label must be an integer or a pointer");
    return __weft::divide(group, label);
}
template <typename Label, unsigned int Size, typename Parent>
__WEFT_CG_FUNCTION coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &group, Label label) {
    static_assert(__weft::is_integral<Label>::value || __weft::is_pointer<Label>::value, "a label must be an integer or a pointer");
    return __weft::divide(group, label);
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#undef __WEFT_CG_TYPES
