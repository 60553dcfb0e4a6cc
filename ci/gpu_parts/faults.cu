// What the driver reports after each kind of fault, for `faults N`: the error of the launch, of waiting for it, of the next call, and
// whether the error stays after it was read.
#include <cassert>
#include <cstdio>
#include <cstdlib>

__device__ int *nowhere;
__shared__ int dummy;

__global__ void null_store() { *(volatile int *)nowhere = 1; }
__global__ void misaligned(char *p) { *(volatile int *)(p + 1) = 1; }
__global__ void far_store(int *p) { ((volatile int *)p)[1ll << 40] = 1; }
__global__ void next_to(int *p) { ((volatile int *)p)[1] = 1; }
__global__ void shared_far(int n) { ((volatile int *)&dummy)[n] = 1; }
__global__ void local_far(int n)
{
    volatile int local[4] = {1, 2, 3, 4};
    local[n] = n;
    if (local[n & 3] == 12345)
        nowhere = 0;
}
__global__ void asserts() { assert(threadIdx.x > 100); }
__global__ void traps() { __trap(); }
__global__ void breaks() { asm("brkpt;"); }
__device__ __noinline__ int deep(int n) { volatile char room[4096]; room[n & 4095] = 1; return n ? deep(n - 1) + room[n & 4095] : 0; }
__global__ void overflows(int n, int *p) { *p = deep(n); }
__global__ void leaks_heap(int n) { for (int i = 0; i < n; i++) if (!malloc(1 << 20)) printf("malloc gives null after %d\n", i); }
__global__ void frees_twice() { void *p = malloc(16); free(p); free(p); }
__global__ void empty() {}

int main(int, char **args)
{
    int *p;
    cudaMalloc(&p, 4);
    const char *name = "";
    switch (std::atoi(args[1])) {
    case 0: name = "store to null"; null_store<<<1, 1>>>(); break;
    case 1: name = "misaligned store"; misaligned<<<1, 1>>>((char *)p); break;
    case 2: name = "store far away"; far_store<<<1, 1>>>(p); break;
    case 3: name = "store just past an allocation"; next_to<<<1, 1>>>(p); break;
    case 4: name = "store far past shared memory"; shared_far<<<1, 1>>>(1 << 24); break;
    case 5: name = "store far past local memory"; local_far<<<1, 1>>>(1 << 24); break;
    case 6: name = "assert"; asserts<<<1, 1>>>(); break;
    case 7: name = "trap"; traps<<<1, 1>>>(); break;
    case 8: name = "brkpt"; breaks<<<1, 1>>>(); break;
    case 9: name = "stack overflow"; overflows<<<1, 1>>>(1000, p); break;
    case 10: name = "double free"; frees_twice<<<1, 1>>>(); break;
    case 12: name = "block of 2048"; empty<<<1, 2048>>>(); break;
    case 13: name = "grid of 0"; empty<<<0, 1>>>(); break;
    case 14: name = "shared memory of 64 KiB"; empty<<<1, 1, 64 << 10>>>(); break;
    case 15: name = "no fault"; empty<<<1, 1>>>(); break;
    default: return 1;
    }
    const char *launched = cudaGetErrorName(cudaGetLastError());
    const char *waited = cudaGetErrorName(cudaDeviceSynchronize());
    const char *first = cudaGetErrorName(cudaGetLastError());
    const char *again = cudaGetErrorName(cudaGetLastError());
    void *q;
    std::printf("%s: launch %s, wait %s, last error %s, once more %s, malloc %s\n", name, launched, waited, first, again,
                cudaGetErrorName(cudaMalloc(&q, 4)));
    return 0;
}
