// Kernels in a library, of which the device link takes those that are needed.
// build: archive
__global__ void add(double *a, const double *b);
__global__ void sub(double *a, const double *b);
int main()
{
    double *a, *b;
    cudaMalloc(&a, 800);
    cudaMalloc(&b, 800);
    add<<<1, 100>>>(a, b);
    sub<<<1, 100>>>(a, b);
}
