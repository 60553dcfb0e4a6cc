__global__ void scale(float *x, float by, int n)
{
    int i = threadIdx.x;
    if (i < n) x[i] *= by;
}
