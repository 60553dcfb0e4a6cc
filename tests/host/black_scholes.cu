// Black and Scholes: functions of <cmath> in namespace std and at file scope, an abstract model with overrides on the host.
//@ launch: price_options grid=2 block=64
//@ arg: {f32[100]=random(71, 5, 30), f32[100]=random(72, 1, 100), f32[100]=random(73, 0.25, 10)}
//@ arg: calls=f32[100]
//@ arg: puts=f32[100]
//@ arg: {f32:0.02, f32:0.3}
//@ arg: 100
//@ tolerance: 2e-4 absolute
//@ launch: implied_volatility grid=1 block=32
//@ arg: price=f64={4.759422392871535, 9.51884478574307, 2.3797111964357675}
//@ arg: volatility=f64[3]
//@ arg: {f64={42, 84, 21}, f64={40, 80, 20}, f64={0.5, 0.5, 0.5}}
//@ arg: {f64:0.1, f64:0}
//@ arg: 3
//@ expect: volatility=0.2
//@ tolerance: 1e-9 absolute
//@ launch: simulate_paths grid=1 block=64
//@ arg: last=f32[50]
//@ arg: normal=f32[4,50]=random(74, -1, 1)
//@ arg: f32:100
//@ arg: {f32:0.02, f32:0.3}
//@ arg: 50
//@ tolerance: 1e-3 absolute
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include <cuda_runtime.h>

#define N_STEPS 4
#ifndef M_SQRT1_2
#define M_SQRT1_2 0.70710678118654752440
#endif

typedef struct {
    float rate, volatility;
} Market;

struct ExactMarket {
    double rate, volatility;
    ExactMarket(const Market &market) : rate(market.rate), volatility(market.volatility) {}
};

struct Options {
    const float *price, *strike, *years;
};

struct Quotes {
    const double *price, *strike, *years;
};

__device__ inline float normal_cdf(float d)
{
    const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f, A5 = 1.330274429f;
    const float RSQRT2PI = 0.39894228040143267793994605993438f;
    const float K = 1.0f / (1.0f + 0.2316419f * ::fabsf(d));
    const float cnd = RSQRT2PI * std::exp(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
    return d > 0 ? 1.0f - cnd : cnd;
}

__global__ void price_options(Options options, float *calls, float *puts, Market market, int n)
{
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n)
        return;
    const float S = options.price[i], X = options.strike[i], T = options.years[i];
    const float R = market.rate, V = market.volatility;
    const float sqrtT = std::sqrt(T);
    const float d1 = (std::log(S / X) + (R + 0.5f * V * V) * T) / (V * sqrtT);
    const float d2 = d1 - V * sqrtT;
    const float discounted = X * std::exp(-R * T);
    calls[i] = S * normal_cdf(d1) - discounted * normal_cdf(d2);
    puts[i] = discounted * normal_cdf(-d2) - S * normal_cdf(-d1);
}

static __device__ double exact_call(double S, double X, double T, double R, double V)
{
    const double d1 = (std::log(S / X) + (R + V * V / 2) * T) / (V * std::sqrt(T));
    const double d2 = d1 - V * ::sqrt(T);
    return S * (0.5 * std::erfc(-d1 * M_SQRT1_2)) - X * ::exp(-R * T) * (0.5 * erfc(-d2 * M_SQRT1_2));
}

__global__ void implied_volatility(const double *price, double *volatility, Quotes quotes, ExactMarket market, int n)
{
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n)
        return;
    double low = 1e-4, high = 4.0;
    for (int step = 0; step < 60; step++) {
        const double middle = std::fma(0.5, high - low, low);
        const double call = exact_call(quotes.price[i], quotes.strike[i], quotes.years[i], market.rate, middle);
        if (call < price[i])
            low = middle;
        else
            high = middle;
    }
    volatility[i] = std::fmax(low, high);
}

__global__ void simulate_paths(float *last, const float *normal, float start, Market market, int n)
{
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n)
        return;
    const float dt = 1.0f / N_STEPS;
    float logarithm = std::log(start);
    for (int step = 0; step < N_STEPS; step++)
        logarithm += (market.rate - 0.5f * std::pow(market.volatility, 2.0f)) * dt +
                     market.volatility * std::sqrt(dt) * normal[step * n + i];
    const float price = ::expf(logarithm);
    last[i] = std::isfinite(price) && !std::isnan(price) ? std::fmin(price, 1e6f) : 0.f;
}

struct Model {
    virtual ~Model() = default;
    virtual const char *name() const = 0;
    virtual double call(double S, double X, double T, const Market &market) const = 0;
    double put(double S, double X, double T, const Market &market) const
    {
        return call(S, X, T, market) - S + X * std::exp(-market.rate * T);
    }
};

struct ClosedForm : Model {
    const char *name() const override { return "closed form"; }
    double call(double S, double X, double T, const Market &market) const override
    {
        const auto cdf = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
        const double v = market.volatility * std::sqrt(T);
        const double d1 = std::log(S / X) / v + (market.rate * T) / v + v / 2, d2 = d1 - v;
        return S * cdf(d1) - X * std::exp(-market.rate * T) * cdf(d2);
    }
};

struct Binomial final : public Model {
    explicit Binomial(int steps) : steps(steps) {}
    const char *name() const override { return "binomial"; }
    double call(double S, double X, double T, const Market &market) const override;
    int steps;
};

double Binomial::call(double S, double X, double T, const Market &market) const
{
    const double dt = T / steps, up = std::exp(market.volatility * std::sqrt(dt)), down = 1 / up;
    const double p = (std::exp(market.rate * dt) - down) / (up - down), discount = std::exp(-market.rate * dt);
    std::vector<double> value(steps + 1);
    for (int i = 0; i <= steps; ++i)
        value[i] = std::fmax(0.0, S * std::pow(up, 2.0 * i - steps) - X);
    for (int step = steps; step-- > 0;)
        for (int i = 0; i <= step; ++i)
            value[i] = discount * (p * value[i + 1] + (1 - p) * value[i]);
    return value[0];
}

int main()
{
    const int n = 4096;
    const Market market = {0.02f, 0.30f};
    float *in[3], *out[2];
    std::vector<float> host[3], calls(n);
    const float low[] = {5, 1, .25f}, high[] = {30, 100, 10};
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < n; ++i)
            host[k].push_back(low[k] + (high[k] - low[k]) * (std::rand() / (RAND_MAX + 1.0f)));
        cudaMalloc(&in[k], n * sizeof(float));
        cudaMemcpy(in[k], host[k].data(), n * sizeof(float), cudaMemcpyHostToDevice);
    }
    for (float *&p : out)
        cudaMalloc(&p, n * sizeof(float));
    price_options<<<n / 128, 128>>>({in[0], in[1], in[2]}, out[0], out[1], market, n);
    simulate_paths<<<n / 4 / 128, 128>>>(out[1], in[2], 100.f, market, n / N_STEPS);
    cudaMemcpy(calls.data(), out[0], n * sizeof(float), cudaMemcpyDeviceToHost);
    double *exact;
    cudaMallocManaged(&exact, 5 * sizeof(double));
    exact[0] = 4.76, exact[1] = 42, exact[2] = 40, exact[3] = 0.5;
    implied_volatility<<<1, 1>>>(exact, exact + 4, {exact + 1, exact + 2, exact + 3}, market, 1);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return std::printf("%s\n", cudaGetErrorString(cudaGetLastError())), EXIT_FAILURE;
    std::unique_ptr<Model> models[] = {std::make_unique<ClosedForm>(), std::unique_ptr<Model>(new Binomial(200))};
    for (const auto &model : models) {
        double worst = 0;
        for (int i = 0; i < 16; ++i)
            worst = std::fmax(worst, std::fabs(model->call(host[0][i], host[1][i], host[2][i], market) - calls[i]));
        std::printf("%s: %g\n", model->name(), worst);
    }
    return EXIT_SUCCESS;
}
