// Which tiles the GPU copies: where they may begin, for each size of elements, direction and swizzle.
//
// Each trial is a process, since none goes on after a fault. A line is what was tried and, for each start, `right`, `wrong` or the error.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

enum Action { LOAD, STORE, ADD, PREFETCH_AND_LOAD };

struct Trial {
    Action action;
    int size, rank, x, y, z;
    bool is_swizzled;
    int step;
};

const int BOX_BYTES = 32, BOX_ROWS = 4, BOX_SLICES = 2, ROWS = 16, SLICES = 3, ROW_BYTES = 128;

#define TILE(before, after, address)                                                                                            \
    if (rank == 2)                                                                                                              \
        asm volatile(before ".2d" after ::"r"(shared), "l"(&map), "r"(x), "r"(y), "r"(z), "r"(ready) : "memory");                 \
    else                                                                                                                        \
        asm volatile(before ".3d" address ::"r"(shared), "l"(&map), "r"(x), "r"(y), "r"(z), "r"(ready) : "memory")

__global__ void copy(const __grid_constant__ CUtensorMap map, int action, int rank, int x, int y, int z, unsigned bytes, unsigned *out)
{
    __shared__ __align__(1024) unsigned tile[BOX_BYTES * BOX_ROWS * BOX_SLICES / 4];
    __shared__ unsigned long long barrier;
    unsigned shared = (unsigned)__cvta_generic_to_shared(tile), ready = (unsigned)__cvta_generic_to_shared(&barrier);
    for (unsigned i = threadIdx.x; i < bytes / 4; i += 32)
        tile[i] = action == LOAD || action == PREFETCH_AND_LOAD ? 0xffffffff : 0x01010101 * (i % 100 + 1);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(ready) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (action == PREFETCH_AND_LOAD && threadIdx.x == 0)
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
    if (action == LOAD || action == PREFETCH_AND_LOAD) {
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(ready), "r"(bytes) : "memory");
            TILE("cp.async.bulk.tensor", ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%5];",
                 ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];");
        }
        asm volatile("{\n\t.reg .pred done;\nagain%=:\n\tmbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n\t"
                     "@!done bra again%=;\n}" ::"r"(ready)
                     : "memory");
        for (unsigned i = threadIdx.x; i < bytes / 4; i += 32)
            out[i] = tile[i];
    } else if (threadIdx.x == 0) {
        if (action == STORE) {
            TILE("cp.async.bulk.tensor", ".global.shared::cta.tile.bulk_group [%1, {%2, %3}], [%0];",
                 ".global.shared::cta.tile.bulk_group [%1, {%2, %3, %4}], [%0];");
        } else {
            TILE("cp.reduce.async.bulk.tensor", ".global.shared::cta.add.tile.bulk_group [%1, {%2, %3}], [%0];",
                 ".global.shared::cta.add.tile.bulk_group [%1, {%2, %3, %4}], [%0];");
        }
        asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
    }
}

static void end(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    std::printf("%s", cudaGetErrorName(error));
    std::fflush(stdout);
    _exit(0);
}

// Of the elements of a tensor, the number that a tile's element has.
static long place(const Trial &trial, int column, int row, int slice)
{
    int width = ROW_BYTES / trial.size, height = trial.rank == 2 ? ROWS * SLICES : ROWS;
    int x = trial.x + column, y = trial.y + row * trial.step, z = trial.z + slice;
    bool is_inside = x >= 0 && x < width && y >= 0 && y < height && z >= 0 && (trial.rank == 2 || z < SLICES);
    return is_inside ? ((long)z * height + y) * width + x : -1;
}

static bool is_right(const Trial &trial, const unsigned char *before, const unsigned char *after, const unsigned char *tile)
{
    int n_slices = trial.rank == 2 ? 1 : BOX_SLICES, columns = BOX_BYTES / trial.size;
    std::vector<unsigned char> wanted(before, before + ROW_BYTES * ROWS * SLICES);
    for (int i = 0; i < columns * BOX_ROWS * n_slices; i++) {
        long at = place(trial, i % columns, i / columns % BOX_ROWS, i / columns / BOX_ROWS);
        bool is_load = trial.action == LOAD || trial.action == PREFETCH_AND_LOAD;
        // With a swizzle of 32 bytes, the halves of rows change places where the fifth bit of the number of 16 bytes says so.
        int from = i * trial.size;
        if (trial.is_swizzled)
            from ^= (from >> 7 & 1) << 4;
        for (int byte = 0; is_load && byte < trial.size; byte++)
            if (tile[from + byte] != (at < 0 ? 0 : before[at * trial.size + byte]))
                return false;
        if (!is_load && at >= 0) {
            unsigned long long value = 0, sum = 0;
            std::memcpy(&value, tile + i * trial.size, trial.size);
            std::memcpy(&sum, wanted.data() + at * trial.size, trial.size);
            sum = trial.action == ADD ? sum + value : value;
            std::memcpy(wanted.data() + at * trial.size, &sum, trial.size);
        }
    }
    return !std::memcmp(wanted.data(), after, wanted.size());
}

static void try_it(const Trial &trial)
{
    typedef CUresult Encode(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                            const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    void *encode = nullptr;
    unsigned char *memory, before[ROW_BYTES * ROWS * SLICES], tile[BOX_BYTES * BOX_ROWS * BOX_SLICES];
    unsigned *out;
    end(cudaMallocManaged(&out, sizeof tile));
    end(cudaMalloc(&memory, sizeof before));
    end(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, nullptr));
    for (size_t i = 0; i < sizeof before; i++)
        before[i] = (unsigned char)(i * 7 + i / 256);
    end(cudaMemcpy(memory, before, sizeof before, cudaMemcpyHostToDevice));
    alignas(64) CUtensorMap map;
    const CUtensorMapDataType types[] = {CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT32,
                                         CU_TENSOR_MAP_DATA_TYPE_UINT64};
    cuuint64_t extents[] = {(cuuint64_t)(ROW_BYTES / trial.size), (cuuint64_t)(trial.rank == 2 ? ROWS * SLICES : ROWS), SLICES};
    cuuint64_t strides[] = {ROW_BYTES, ROW_BYTES * ROWS};
    cuuint32_t box[] = {(cuuint32_t)(BOX_BYTES / trial.size), (cuuint32_t)(BOX_ROWS * trial.step), BOX_SLICES}, steps[] = {1, (cuuint32_t)trial.step, 1};
    if (((Encode *)encode)(&map, types[__builtin_ctz(trial.size)], trial.rank, memory, extents, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                           trial.is_swizzled ? CU_TENSOR_MAP_SWIZZLE_32B : CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                           CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)) {
        std::printf("no map");
        return;
    }
    unsigned bytes = trial.rank == 2 ? sizeof tile / BOX_SLICES : sizeof tile;
    copy<<<1, 32>>>(map, trial.action, trial.rank, trial.x, trial.y, trial.z, bytes, out);
    end(cudaGetLastError());
    end(cudaDeviceSynchronize());
    unsigned char after[sizeof before];
    end(cudaMemcpy(after, memory, sizeof before, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < sizeof tile; i++)
        tile[i] = trial.action == STORE || trial.action == ADD ? (unsigned char)(i / 4 % 100 + 1) : ((unsigned char *)out)[i];
    std::printf("%s", is_right(trial, before, after, tile) ? "right" : "wrong");
}

struct Started {
    int process, pipe;
    std::string label;
};

static void finish(std::vector<Started> &all)
{
    for (Started &one : all) {
        char text[64] = "";
        ssize_t n = read(one.pipe, text, sizeof text - 1);
        waitpid(one.process, nullptr, 0);
        close(one.pipe);
        std::printf("%s %s\n", one.label.c_str(), n > 0 ? text : "ends");
    }
    all.clear();
    std::fflush(stdout);
}

int main()
{
    std::vector<Trial> trials;
    for (int x : {-8, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 26, 28})
        trials.push_back({LOAD, 4, 2, x, 0, 0, false, 1});
    for (int x : {-8, -4, 0, 1, 2, 4, 8})
        trials.push_back({LOAD, 2, 2, x, 1, 0, false, 1});
    for (int x : {-16, -8, 0, 1, 4, 8, 16})
        trials.push_back({LOAD, 1, 2, x, 1, 0, false, 1});
    for (int x : {-2, -1, 0, 1, 2})
        trials.push_back({LOAD, 8, 2, x, 1, 0, false, 1});
    for (int x : {-4, 0, 1, 2, 4})
        trials.push_back({LOAD, 4, 2, x, 0, 0, true, 1});
    for (Action action : {STORE, ADD})
        for (int x : {-4, -1, 0, 1, 2, 4})
            trials.push_back({action, 4, 2, x, 1, 0, false, 1});
    for (int y : {-1, 1, 46})
        for (Action action : {LOAD, STORE, ADD, PREFETCH_AND_LOAD})
            trials.push_back({action, 4, 2, 0, y, 0, false, 1});
    for (int x : {0, 4})
        trials.push_back({LOAD, 4, 2, x, -1, 0, false, 2});
    for (Action action : {LOAD, STORE, ADD})
        for (int z : {-1, 0, 2})
            trials.push_back({action, 4, 3, z == 0 ? 4 : 0, z, z, false, 1});
    std::vector<Started> all;
    for (const Trial &trial : trials) {
        const char *names[] = {"load", "store", "add", "prefetch, load"};
        char label[128];
        std::snprintf(label, sizeof label, "%s, %dD, %d bytes, %s, step %d, at %d %d %d:", names[trial.action], trial.rank, trial.size,
                      trial.is_swizzled ? "swizzle 32" : "no swizzle", trial.step, trial.x, trial.y, trial.z);
        int ends[2];
        if (pipe(ends))
            return 1;
        int process = fork();
        if (process == 0) {
            alarm(40);
            dup2(ends[1], 1);
            try_it(trial);
            std::fflush(stdout);
            _exit(0);
        }
        close(ends[1]);
        all.push_back({process, ends[0], label});
        if (all.size() == 12)
            finish(all);
    }
    finish(all);
    return 0;
}
