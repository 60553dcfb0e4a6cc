// Objects of whole programs, two of which have a variable and a device function of one name.
// build: whole
__global__ void red(float *x);
__global__ void green(float *x, short2 at);
__global__ void blue(float *x, __int128 at);
static __device__ float brightness(float x) { return x / 3; }
__global__ void own(float *x) { *x = brightness(*x); }
int main()
{
    float *x;
    cudaMalloc(&x, 64);
    red<<<1, 8>>>(x);
    green<<<1, 8>>>(x, make_short2(1, 2));
    blue<<<1, 8>>>(x, (__int128)3 << 90);
    own<<<1, 8>>>(x);
}
