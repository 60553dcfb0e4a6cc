// A kernel returns a value.
// clang: 5:25
// better: 4:31 the type of the result
template <class T> __global__ T k(T *p) { return *p; }
template __global__ int k<int>(int *);
