__global__ void transform(const int *__restrict__ from, int *__restrict__ to, unsigned long long key) { to[threadIdx.x] = from[threadIdx.x] ^ (int)key; }
