// Code for several GPUs in one object.
// arch: sm_80 sm_90
__global__ void which(int *gpu);
__global__ void copy_async(float *to, const float *from);
int main()
{
    int *gpu;
    cudaMalloc(&gpu, 4);
    which<<<1, 1>>>(gpu);
    copy_async<<<1, 32>>>((float *)gpu, (float *)gpu);
}
