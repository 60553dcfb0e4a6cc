#include "cell.h"
__global__ void reset(Cell *cells, Cell value, char flag) { cells[threadIdx.x] = value; }
extern "C" __global__ void plain(Cell *cells) { cells[0].state = 1; }
__global__ void nothing() {}
namespace cells { namespace inner { __global__ void fill(Cell *cells, Cell value) { cells[threadIdx.x] = value; } } }
