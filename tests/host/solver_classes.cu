// A host class hierarchy: virtual functions, abstract bases, a factory with std::function, smart pointers with deleters, exceptions.
//@ launch: jacobi_step grid=1,2 block=16,8
//@ arg: u=f64[14,14]=random(1)
//@ arg: f=f64[14,14]=random(2)
//@ arg: next=f64[14,14]=zeros
//@ arg: 14
//@ arg: f64:0.25
//@ launch: red_black grid=1,2 block=16,8
//@ arg: u=f64[14,14]=random(3)
//@ arg: f=f64[14,14]=random(4)
//@ arg: 14
//@ arg: f64:0.25
//@ arg: 1
//@ arg: f64:1.5
//@ launch: residual_max grid=2 block=64
//@ arg: u=f64[14,14]=random(5)
//@ arg: next=f64[14,14]=random(6)
//@ arg: 196
//@ arg: result=u64={0}
#include <cmath>
#include <exception>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

__global__ void jacobi_step(const double *u, const double *f, double *next, int n, double h2)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1) return;
    const int at = i * n + j;
    next[at] = 0.25 * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] - h2 * f[at]);
}

__global__ void red_black(double *u, const double *f, int n, double h2, int color, double omega)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1 || (i + j) % 2 != color) return;
    const int at = i * n + j;
    const double gauss = 0.25 * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] - h2 * f[at]);
    u[at] += omega * (gauss - u[at]);
}

// Positive doubles are ordered as their bits are.
__global__ void residual_max(const double *u, const double *next, int n, unsigned long long *result)
{
    double largest = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        largest = fmax(largest, fabs(u[i] - next[i]));
    atomicMax(result, (unsigned long long)__double_as_longlong(largest));
}

class CudaError : public std::runtime_error {
  public:
    explicit CudaError(cudaError_t code, const std::string &where = {})
        : std::runtime_error(where + ": " + cudaGetErrorString(code)), code_{code}
    {
    }
    cudaError_t code() const noexcept { return code_; }

  private:
    cudaError_t code_;
};

inline void require(cudaError_t code, const char *where)
{
    if (code != cudaSuccess) throw CudaError(code, where);
}

struct DeviceDeleter {
    void operator()(void *p) const noexcept { cudaFree(p); }
};
template <class T> using DevicePtr = std::unique_ptr<T[], DeviceDeleter>;

template <class T> DevicePtr<T> make_device(std::size_t n)
{
    T *raw = nullptr;
    require(cudaMalloc(&raw, n * sizeof(T)), __func__);
    return DevicePtr<T>(raw);
}

struct Report {
    int iterations{0};
    double residual = 1.0;
    [[nodiscard]] bool converged(double tolerance) const { return residual < tolerance; }
};

std::ostream &operator<<(std::ostream &os, const Report &r)
{
    const auto flags = os.flags();
    os << std::setw(6) << r.iterations << "  " << std::scientific << std::setprecision(3) << r.residual;
    os.flags(flags);
    return os;
}

class Solver {
  public:
    Solver(int n) : n_(n), u_(make_device<double>(n * n)), f_(make_device<double>(n * n)) {}
    Solver(const Solver &) = delete;
    Solver &operator=(const Solver &) = delete;
    virtual ~Solver();
    virtual void sweep() = 0;
    virtual std::string name() const { return "solver"; }
    Report solve(double tolerance, int limit);
    Solver &operator<<(const std::vector<double> &f)
    {
        require(cudaMemcpy(f_.get(), f.data(), f.size() * sizeof(double), cudaMemcpyHostToDevice), "operator<<");
        return *this;
    }
    double operator()(int i, int j) const;
    explicit operator bool() const { return static_cast<bool>(u_); }
    static int alive;

  protected:
    dim3 grid() const { return {unsigned(n_ + 15) / 16, unsigned(n_ + 7) / 8}; }
    double h2() const { return 1.0 / double((n_ - 1) * (n_ - 1)); }
    virtual double residual() = 0;
    int n_;
    DevicePtr<double> u_, f_;
    static constexpr unsigned kBlockX = 16, kBlockY{8};
};

int Solver::alive = 0;
Solver::~Solver() { --alive; }

double Solver::operator()(int i, int j) const
{
    double value;
    require(cudaMemcpy(&value, u_.get() + i * n_ + j, sizeof value, cudaMemcpyDeviceToHost), "operator()");
    return value;
}

Report Solver::solve(double tolerance, int limit) try
{
    Report report;
    for (; !report.converged(tolerance) && report.iterations < limit; ++report.iterations) {
        sweep();
        report.residual = residual();
    }
    return report;
} catch (const CudaError &error) {
    std::cerr << name() << ": " << error.what() << " (" << error.code() << ")\n";
    throw;
}

class Jacobi final : public Solver {
  public:
    using Solver::Solver;
    void sweep() override
    {
        jacobi_step<<<grid(), dim3(kBlockX, kBlockY)>>>(u_.get(), f_.get(), next_.get(), n_, h2());
        std::swap(u_, next_);
    }
    std::string name() const override { return "Jacobi"; }

  private:
    double residual() override
    {
        auto bits = make_device<unsigned long long>(1);
        residual_max<<<4, 64>>>(u_.get(), next_.get(), n_ * n_, bits.get());
        unsigned long long word;
        cudaMemcpy(&word, bits.get(), sizeof word, cudaMemcpyDeviceToHost);
        return reinterpret_cast<const double &>(word);
    }
    DevicePtr<double> next_ = make_device<double>(n_ * n_);
};

class Sor : public virtual Solver {
  public:
    Sor(int n, double omega) : Solver{n}, omega_{omega} {}
    void sweep() override
    {
        for (int color : {0, 1})
            red_black<<<grid(), dim3{kBlockX, kBlockY, 1}>>>(u_.get(), f_.get(), n_, h2(), color, omega_);
    }

  private:
    double residual() override { return std::abs((*this)(1, 1) - std::exchange(last_, (*this)(1, 1))); }
    double omega_, last_{};
};

using Factory = std::function<std::unique_ptr<Solver>(int)>;
static const std::map<std::string, Factory> factories = {
    {"jacobi", [](int n) -> std::unique_ptr<Solver> { return std::make_unique<Jacobi>(n); }},
    {"sor", [](int n) { return std::unique_ptr<Solver>{new Sor(n, 1.9)}; }},
};

int main(int argc, char **argv)
{
    try {
        for (const auto &[name, make] : factories) {
            auto solver = make(64);
            if (*solver) *solver << std::vector<double>(64 * 64, 1.0);
            std::cout << std::left << std::setw(8) << name << solver->solve(1e-6, 10'000) << std::endl;
            if (auto *jacobi = dynamic_cast<Jacobi *>(solver.get())) std::cout << jacobi->name() << '\n';
        }
        if (argc > 2) throw std::invalid_argument{"too many arguments"};
    } catch (const std::exception &e) {
        std::ostringstream message;
        message << argv[0] << ": " << e.what();
        std::cerr << message.str() << '\n';
        return EXIT_FAILURE;
    } catch (...) {
        return 3;
    }
    return Solver::alive;
}
