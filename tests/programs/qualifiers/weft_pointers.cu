#include "ids.h"
extern __device__ int sum;
__global__ void arrays(int list[4], float matrix[][8], const Id *ids) { sum = list[1] + (int)matrix[1][2] + ids->group; }
__global__ void pointers(int **a, const char *const *b, void *c, int (*d)[3], double (*f)(double, int)) { sum = **a + **b + (*d)[2]; }
