// Functions and templates of a header, in files of both compilers.
#include "template.h"
void start_first(int *x);
__global__ void second(int *x);
int main()
{
    int *x;
    cudaMalloc(&x, 4);
    common<int><<<1, 1>>>(x, clamped(200));
    start_first(x);
    second<<<1, 1>>>(x);
}
