__global__ void produce(int *to, int seed) { to[threadIdx.x] = seed; }
