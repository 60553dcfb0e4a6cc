__global__ void op_neg(float *x, int n) { x[n] = -x[n]; }
