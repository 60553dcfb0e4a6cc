// Host code that is not CUDA's: the runtime's function launches.
#include <cstring>
#include <cuda_runtime.h>
struct Item { char c; double d[2]; };
void sort_items(Item *items, int n, Item pivot);
extern "C" void count_items(const Item *items, unsigned *n);
int main()
{
    Item *items, pivot;
    memset(&pivot, 9, sizeof pivot);
    unsigned *counter;
    int n = 1000;
    cudaMalloc(&items, n * sizeof *items);
    cudaMalloc(&counter, sizeof *counter);
    void *of_sort[] = {&items, &n, &pivot}, *of_count[] = {&items, &counter};
    if (cudaLaunchKernel(sort_items, dim3(4), dim3(250), of_sort)) return 1;
    if (cudaLaunchKernel((void *)count_items, dim3(1, 1, 2), dim3(32, 2), of_count, 64)) return 1;
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, (const void *)sort_items);
}
