__device__ float halved(float x) { return x / 2; }
