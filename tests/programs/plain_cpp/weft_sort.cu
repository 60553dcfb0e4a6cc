struct Item { char c; double d[2]; };
__global__ void sort_items(Item *items, int n, Item pivot)
{
    int i = threadIdx.x;
    if (i < n) items[i] = pivot;
}
