// Clang compiles the launches.
// host: clang
// build: whole
#include "cell.h"
__global__ void step(const Cell *from, Cell *to, int n);
__global__ void reset(Cell *cells, Cell value, char flag);
extern "C" __global__ void plain(Cell *cells);
__global__ void nothing();
namespace cells { namespace inner { __global__ void fill(Cell *cells, Cell value); } }
int main()
{
    Cell *a, *b, zero;
    memset(&zero, 0, sizeof zero);
    cudaMalloc(&a, 100 * sizeof zero);
    cudaMalloc(&b, 100 * sizeof zero);
    reset<<<2, 50>>>(a, zero, 'r');
    for (int i = 0; i < 3; i++) {
        step<<<dim3(1, 2), dim3(10, 5), i>>>(a, b, 100 - i);
        Cell *kept = a;
        a = b, b = kept;
    }
    plain<<<1, 1>>>(a);
    nothing<<<1, 1>>>();
    cells::inner::fill<<<1, 4>>>(b, zero);
    cudaFuncSetAttribute((const void *)step, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    int n;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (const void *)plain, 32, 0);
}
