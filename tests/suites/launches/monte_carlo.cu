// Monte Carlo: a plan per device, launches from an array of structs, an inline function in a header's style.
#include <cstdio>
#include <cstdlib>
#include <vector>
typedef struct { float S, X, T, R, V; } TOptionData;
typedef struct { float Expected, Confidence; } TOptionValue;
typedef struct
{
    int device, optionCount;
    void *d_OptionData;
    float2 *d_CallValue;
    unsigned long long *rngStates;
    int pathN, gridSize;
} TOptionPlan;
template <int STATES> __global__ void rngSetup(unsigned long long *states, int device) { states[threadIdx.x % STATES] = device + threadIdx.x; }
template <typename T, int SUM_N, int blockSize> __global__ void oneBlockPerOption(T *__restrict states, const float4 *data, float2 *values, int pathN, int n)
{
    __shared__ float sum[SUM_N];
    for (int i = threadIdx.x; i < SUM_N; i += blockSize) sum[i] = (float)states[i] * data[blockIdx.x].x;
    __syncthreads();
    if (threadIdx.x == 0) values[blockIdx.x] = make_float2(sum[0], (float)pathN);
}
#define THREAD_N 256
#define MIN(a, b) ((a < b) ? a : b)
#define MAX(a, b) ((a > b) ? a : b)
extern "C" void initMonteCarloGPU(TOptionPlan *plan)
{
    cudaMalloc((void **)&plan->rngStates, plan->gridSize * THREAD_N);
    rngSetup<MAX(THREAD_N, 128)><<<plan->gridSize, THREAD_N>>>(plan->rngStates, plan->device);
}
extern "C" void MonteCarloGPU(TOptionPlan *plan, cudaStream_t stream)
{
    const float4 *d_options = (const float4 *)plan->d_OptionData;
    if (plan->optionCount <= 0) return;
    oneBlockPerOption<unsigned long long, THREAD_N, THREAD_N / 2><<<plan->gridSize, THREAD_N, 0, stream>>>(
        plan->rngStates, d_options, plan->d_CallValue, plan->pathN, plan->optionCount);
}
static void solverThread(TOptionPlan *plan)
{
    std::vector<TOptionPlan> plans(4, *plan);
    for (auto &p : plans) MonteCarloGPU(&p, 0);
    for (size_t i = 0; i < plans.size(); i++)
        oneBlockPerOption<int, 64, MIN(64, THREAD_N)><<<1, 64>>>((int *)plans[i].rngStates, nullptr, plans[i].d_CallValue, 1, 1);
}
int main() { TOptionPlan plan = {0}; initMonteCarloGPU(&plan); solverThread(&plan); }
