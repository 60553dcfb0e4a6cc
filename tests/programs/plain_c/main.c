// Host code in C.
// build: whole
#include <cuda_runtime_api.h>
#include "pair.h"
extern void swap_pairs(struct Pair *pairs, int n, struct Pair by);
extern void clear_pairs(struct Pair *pairs);
int main(void)
{
    struct Pair *pairs, by = {1, 2.5};
    int n = 10;
    cudaMalloc((void **)&pairs, 160);
    void *of_swap[] = {&pairs, &n, &by}, *of_clear[] = {&pairs};
    struct dim3 grid = {2, 1, 1}, block = {5, 1, 1};
    if (cudaLaunchKernel((const void *)swap_pairs, grid, block, of_swap, 0, 0)) return 1;
    return cudaLaunchKernel((const void *)clear_pairs, grid, block, of_clear, 0, 0);
}
