// Register-tiled matrix products: many value arguments with defaults, static_assert, helpers with constexpr.
// unknown: 48
// not made: _Z5sgemmILi64ELi64ELi16ELi4ELi4EiEviiiT4_PKS0_S2_S0_PS0_
#include <algorithm>
#include <cstdio>
#include <vector>
template <int BM, int BN, int BK, int TM, int TN = TM, typename T = float>
__global__ void __launch_bounds__((BM * BN) / (TM * TN)) sgemm(int M, int N, int K, T alpha, const T *A, const T *B, T beta, T *C)
{
    static_assert(BM % TM == 0, "tiles");
    __shared__ T As[BM * BK], Bs[BK * BN];
    T acc[TM * TN] = {0};
    for (int k = 0; k < K; k += BK) {
        As[threadIdx.x % (BM * BK)] = A[threadIdx.x];
        Bs[threadIdx.x % (BK * BN)] = B[threadIdx.x];
        __syncthreads();
        for (int i = 0; i < TM * TN; i++) acc[i] += As[i % (BM * BK)] * Bs[i % (BK * BN)];
        __syncthreads();
    }
    C[threadIdx.x] = alpha * acc[0] + beta * C[threadIdx.x] + M + N;
}
#define CEIL_DIV(M, N) (((M) + (N) - 1) / (N))
constexpr int threads_of(int bm, int bn, int tm, int tn) { return bm * bn / (tm * tn); }
void runSgemm(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C)
{
    const uint BK = 8;
    const uint TM = 8;
    const uint TN = 8;
    if (M >= 128 and N >= 128) {
        const uint BM = 128;
        const uint BN = 128;
        dim3 gridDim(CEIL_DIV(N, BN), CEIL_DIV(M, BM));
        dim3 blockDim((BM * BN) / (TM * TN));
        sgemm<BM, BN, BK, TM, TN><<<gridDim, blockDim>>>(M, N, K, alpha, A, B, beta, C);
    } else {
        const uint BM = 64;
        const uint BN = 64;
        dim3 gridDim(CEIL_DIV(N, BN), CEIL_DIV(M, BM));
        dim3 blockDim((BM * BN) / (TM * TN));
        sgemm<BM, BN, BK, TM, TN><<<gridDim, blockDim>>>(M, N, K, alpha, A, B, beta, C);
    }
}
template <typename T, int TILE = sizeof(T) == 4 ? 64 : 32> void run(int n, const std::vector<T> &host)
{
    T *a, *b, *c;
    cudaMalloc(&a, n * sizeof(T));
    constexpr int T_ = threads_of(TILE, TILE, 4, 4);
    sgemm<TILE, TILE, 16, 4, 4, T><<<CEIL_DIV(n, TILE), T_>>>(n, n, n, T(1), a, b, T(0), c);
}
int main(int argc, char **argv)
{
    float *p = nullptr;
    runSgemm(4096, 4096, 4096, 0.5f, p, p, 3.0f, p);
    run<float>(std::max(argc, 128), std::vector<float>(128));
    run<double>(128, {});
    run(64, std::vector<int>(1));
}
