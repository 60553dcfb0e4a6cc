struct Item { char c; double d[2]; };
extern "C" __global__ void count_items(const Item *items, unsigned *n)
{
    if (items[threadIdx.x].c) atomicAdd(n, 1u);
}
