// Finance: counters as random numbers, Box-Muller, tuples, optional results, user-defined exceptions, a CSV reader, operator overloads.
//@ launch: simulate grid=2 block=64
//@ arg: {f32:100, f32:105, f32:0.05, f32:0.25, f32:1.5, 3}
//@ arg: 12345
//@ arg: 2
//@ arg: paths=f32[128]
//@ tolerance: 1e-3 absolute
//@ launch: closed_form grid=1 block=8
//@ arg: {&spot, &strike, &call, &put, 6}
//@ arg: f64:0.03
//@ arg: f64:0.2
//@ arg: spot=f64={90, 95, 100, 105, 110, 120}
//@ arg: strike=f64={100, 100, 100, 100, 110, 80}
//@ arg: call=f64[6]
//@ arg: put=f64[6]
//@ tolerance: 1e-9 absolute
//@ launch: bernoulli grid=1 block=32
//@ arg: 77
//@ arg: hits=u32[32]
//@ arg: f32:0.5
#include <algorithm>
#include <any>
#include <bitset>
#include <cassert>
#include <charconv>
#include <cmath>
#include <deque>
#include <functional>
#include <iomanip>
#include <iostream>
#include <list>
#include <numeric>
#include <optional>
#include <ratio>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <valarray>
#include <vector>

#define RSQRT2 0.70710678118654752440

typedef struct OptionData {
    float S, K, r, sigma, T;
    int steps;
} OptionData;

struct Book {
    const double *spot, *strike;
    double *call, *put;
    int n;
};

__host__ __device__ static unsigned int mix_bits(unsigned int x)
{
    x ^= x >> 16, x *= 0x7feb352du;
    x ^= x >> 15, x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static __device__ float uniform(unsigned int seed, unsigned int counter)
{
    return (mix_bits(seed ^ mix_bits(counter)) + 0.5f) * 2.3283064e-10f;
}

static __device__ double cumulative_normal(double d) { return 0.5 * erfc(-d * RSQRT2); }

__global__ void simulate(OptionData option, unsigned int seed, int rounds, float *paths)
{
    const unsigned int path = blockIdx.x * blockDim.x + threadIdx.x;
    const float dt = option.T / option.steps;
    const float drift = (option.r - 0.5f * option.sigma * option.sigma) * dt, spread = option.sigma * sqrtf(dt);
    float payoff = 0.0f;
    for (int round = 0; round < rounds; round++) {
        float log_price = logf(option.S);
        for (int step = 0; step < option.steps; step++) {
            const unsigned int counter = (path * rounds + round) * option.steps + step;
            const float u = uniform(seed, 2 * counter), v = uniform(seed, 2 * counter + 1);
            float sine, cosine;
            sincospif(2.0f * v, &sine, &cosine);
            log_price += drift + spread * sqrtf(-2.0f * logf(u)) * (step & 1 ? sine : cosine);
        }
        payoff += fmaxf(expf(log_price) - option.K, 0.0f);
    }
    paths[path] = expf(-option.r * option.T) * payoff / rounds;
}

__global__ void closed_form(Book book, double r, double v, const double *spot, const double *strike, double *call, double *put)
{
    const int opt = blockIdx.x * blockDim.x + threadIdx.x;
    if (opt >= book.n || spot != book.spot || strike != book.strike) return;
    const double S = book.spot[opt], X = book.strike[opt], T = 0.25 * (opt + 1), sqrtT = sqrt(T);
    const double d1 = (log(S / X) + (r + 0.5 * v * v) * T) / (v * sqrtT), d2 = d1 - v * sqrtT;
    const double cnd1 = cumulative_normal(d1), cnd2 = cumulative_normal(d2), expRT = exp(-r * T);
    call[opt] = S * cnd1 - X * expRT * cnd2;
    put[opt] = X * expRT * (1.0 - cnd2) - S * (1.0 - cnd1);
}

__global__ void bernoulli(unsigned int seed, unsigned int *hits, float p)
{
    unsigned int bits = 0;
    for (int k = 0; k < 32; ++k) bits |= (unsigned int)(uniform(seed, threadIdx.x * 32 + k) < p) << k;
    hits[threadIdx.x] = bits;
}

namespace finance {

class Money {
  public:
    constexpr explicit Money(long cents = 0) noexcept : cents_{cents} {}
    friend constexpr Money operator+(Money a, Money b) { return Money{a.cents_ + b.cents_}; }
    friend constexpr bool operator<(Money a, Money b) { return a.cents_ < b.cents_; }
    constexpr Money operator-() const { return Money(-cents_); }
    constexpr Money &operator++() { return ++cents_, *this; }
    constexpr Money operator++(int) { Money old = *this; ++*this; return old; }
    template <class Number> constexpr auto operator*(Number n) const -> Money { return Money(static_cast<long>(cents_ * n)); }
    friend std::istream &operator>>(std::istream &is, Money &m)
    {
        double value;
        if (is >> value) m.cents_ = std::lround(value * 100);
        return is;
    }
    friend std::ostream &operator<<(std::ostream &os, const Money &m)
    {
        const char fill = os.fill('0');
        os << m.cents_ / 100 << '.' << std::setw(2) << std::abs(m.cents_ % 100);
        os.fill(fill);
        return os;
    }

  private:
    long cents_;
};

inline namespace literals {
constexpr Money operator""_eur(unsigned long long n) { return Money(static_cast<long>(n) * 100); }
constexpr Money operator""_eur(long double n) { return Money{static_cast<long>(n * 100)}; }
} // namespace literals

static_assert(99_eur < 99.5_eur, "as numbers");

struct BadRow final : std::runtime_error {
    BadRow(std::size_t row, std::string_view text)
        : std::runtime_error{"row " + std::to_string(row) + ": " + std::string(text)}, row{row} {}
    const std::size_t row;
};

[[nodiscard]] std::optional<double> number(std::string_view text)
{
    std::istringstream stream{std::string{text}};
    if (double value; stream >> value) return value;
    return {};
}

std::vector<std::tuple<double, double>> read_rows(std::istream &in)
{
    std::vector<std::tuple<double, double>> rows;
    for (std::string line; std::getline(in, line);) {
        const auto comma = line.find(',');
        const auto spot = number(std::string_view(line).substr(0, comma));
        const auto strike = comma < line.size() ? number({&line[comma + 1]}) : std::nullopt;
        if (!spot || !strike) throw BadRow(rows.size(), line);
        rows.emplace_back(*spot, *strike);
    }
    return rows;
}

template <class... Columns> void print(std::ostream &os, const Columns &...columns)
{
    const char *separator = "";
    ((os << std::exchange(separator, "\t") << columns), ...) << '\n';
}

} // namespace finance

using namespace finance::literals;

int main() try
{
    const auto rows = finance::read_rows(std::cin);
    const int n = static_cast<int>(rows.size());
    Book book{};
    double *columns;
    book.n = n;
    cudaMallocManaged(&columns, 4 * n * sizeof(double));
    for (int i = 0; i < n; ++i) std::tie(columns[i], columns[n + i]) = rows[i];
    book.spot = columns, book.strike = columns + n, book.call = columns + 2 * n, book.put = columns + 3 * n;
    closed_form<<<(n + 127) / 128, 128>>>(book, 0.03, 0.2, book.spot, book.strike, book.call, book.put);
    float *paths;
    cudaMallocManaged((void **)&paths, 128 * sizeof(float));
    simulate<<<2, 64>>>(OptionData{100.f, 105.f, .05f, .25f, 1.5f, 100}, mix_bits(7), 2, paths);
    bernoulli<<<1, 32>>>(1u, (unsigned *)paths, 0.5f);
    cudaDeviceSynchronize();
    std::valarray<double> calls(book.call, n);
    const auto mean = std::reduce(std::begin(calls), std::end(calls)) / n;
    std::bitset<32> bits(reinterpret_cast<unsigned &>(paths[0]));
    std::any anything = mean;
    finance::Money total = 1_eur + finance::Money(250) + -2.25_eur;
    total++;
    finance::print(std::cout, total * 1.5, mean, bits.count(), std::any_cast<double>(anything), typeid(total).name());
    return total < 1_eur;
} catch (const finance::BadRow &e) {
    return std::cerr << e.what() << '\n', static_cast<int>(e.row);
}
