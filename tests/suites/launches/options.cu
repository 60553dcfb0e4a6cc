// Option pricing: templates in a class of the host, per-thread work as an argument, occupancy.
#include <cmath>
#include <cstdio>
#include <random>
enum class OptionType { Call, Put };
template <OptionType TYPE, typename Real> __device__ Real payoff(Real s, Real k) { Real p = TYPE == OptionType::Call ? s - k : k - s; return p > Real(0) ? p : Real(0); }
template <typename Real, OptionType TYPE, int UNROLL> __global__ void price(const Real *spot, const Real *strike, Real *value, int n)
{
    int base = (blockIdx.x * blockDim.x + threadIdx.x) * UNROLL;
#pragma unroll
    for (int u = 0; u < UNROLL; u++) if (base + u < n) value[base + u] = payoff<TYPE>(spot[base + u], strike[base + u]);
}
class Pricer {
public:
    Pricer(int n) : n_(n)
    {
        cudaMalloc(&spot_, n * sizeof(double));
        std::mt19937 engine(5);
    }
    template <OptionType TYPE> void run_as() { printf("%d\n", (int)TYPE); }
    void run(OptionType type)
    {
        int grid = 0, block = 0;
        if (type == OptionType::Call) {
            cudaOccupancyMaxPotentialBlockSize(&grid, &block, price<double, OptionType::Call, kUnroll>, 0, 0);
            price<double, OptionType::Call, kUnroll><<<grid, block>>>(spot_, strike_, value_, n_);
        } else {
            cudaOccupancyMaxPotentialBlockSize(&grid, &block, price<double, OptionType::Put, kUnroll>, 0, 0);
            price<double, OptionType::Put, kUnroll><<<grid, block>>>(spot_, strike_, value_, n_);
        }
        run_as<OptionType::Put>();
    }
private:
    static constexpr int kUnroll = 4;
    int n_;
    double *spot_ = nullptr, *strike_ = nullptr, *value_ = nullptr;
};
int main()
{
    Pricer pricer(1000);
    pricer.run(OptionType::Call);
    float *s = nullptr;
    price<float, OptionType::Put, 1><<<1, 256>>>(s, s, s, 256);
}
