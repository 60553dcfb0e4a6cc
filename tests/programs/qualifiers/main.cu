// Parameters that are const, volatile, restricted, arrays, typedefs.
#include "ids.h"
__global__ void consts(const int n, const float *const p, const Id id);
__global__ void arrays(int list[4], float matrix[][8], const Id *ids);
__global__ void pointers(int **a, const char *const *b, void *c, int (*d)[3], double (*f)(double, int));
int main()
{
    Id id = {3, 4};
    consts<<<1, 1>>>(5, (const float *)16, id);
    arrays<<<1, 1>>>((int *)32, (float(*)[8])48, (const Id *)64);
    pointers<<<1, 1>>>((int **)80, (const char *const *)96, (void *)112, (int(*)[3])128, nullptr);
}
