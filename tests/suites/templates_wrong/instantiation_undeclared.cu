// There is no template of the name.
// clang: 3:26
template __global__ void k<float>(float *);
