// Class-based host code around C-style kernels: inheritance, virtual functions, operators, templates, lambdas, streams, constants.
//@ launch: forces grid=2 block=128
//@ arg: bodies=f32[200,4]=random(5)
//@ arg: force=f32[200,3]
//@ arg: 200
//@ tolerance: 1e-5 relative
//@ launch: drift grid=1 block=64
//@ arg: bodies=f32[50,4]=random(6)
//@ arg: force=f32[50,3]=random(7)
//@ arg: f32:1e10
//@ arg: 50
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

using namespace std;
using std::string;

namespace config {
const int kSteps = 10;
static constexpr double kDt = 0.01;
inline string name() { return "nbody"; }
}

struct Body {
    float x, y, z, mass;
};

using Index = unsigned int;
typedef struct Body *BodyPtr;
constexpr float SOFTENING = 1e-9f;
constexpr float square(float x) { return x * x; }
const double G = 6.674e-11;

class Simulation {
  public:
    virtual ~Simulation() = default;
    virtual void step(float dt) = 0;
    int steps() const { return steps_; }
    Simulation &operator+=(int n) { steps_ += n; return *this; }
    friend ostream &operator<<(ostream &out, const Simulation &s) { return out << s.steps_; }

  protected:
    int steps_ = 0;
    map<string, vector<float>> history_;
};

template <class T, int N = 3>
struct Vec {
    T v[N];
    T &operator[](int i) { return v[i]; }
    template <class U> Vec<U, N> as() const;
};

template <class T, int N>
template <class U>
Vec<U, N> Vec<T, N>::as() const
{
    Vec<U, N> out;
    for (int i = 0; i < N; ++i) out[i] = static_cast<U>(v[i]);
    return out;
}

template <> struct Vec<bool, 3> { unsigned char bits : 3; };

static inline __device__ float3 attraction(float3 at, Body body, float3 sum)
{
    const float dx = body.x - at.x, dy = body.y - at.y, dz = body.z - at.z;
    const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
    const float s = body.mass * inverse * inverse * inverse;
    sum.x += dx * s;
    sum.y += dy * s;
    sum.z += dz * s;
    return sum;
}

extern "C" __global__ void __launch_bounds__(128) forces(const Body *__restrict__ bodies, float3 *force, Index n)
{
    __shared__ Body tile[128];
    const Index i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    const float3 at = i < n ? make_float3(bodies[i].x, bodies[i].y, bodies[i].z) : sum;
    for (Index first = 0; first < n; first += 128) {
        if (first + threadIdx.x < n) tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (Index k = 0; k < 128 && first + k < n; k++) sum = attraction(at, tile[k], sum);
        __syncthreads();
    }
    if (i < n) force[i] = sum;
}

__global__ void drift(BodyPtr bodies, const float3 *force, float dt, Index n)
{
    const Index i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bodies[i].x += float(G) * force[i].x * dt;
    bodies[i].y += float(G) * force[i].y * dt;
    bodies[i].z += float(G) * force[i].z * dt;
}

class GpuSimulation final : public Simulation {
  public:
    GpuSimulation(const vector<Body> &bodies, cudaStream_t stream = nullptr)
        : Simulation(), n_{static_cast<Index>(bodies.size())}, stream_(stream)
    {
        cudaMalloc(&bodies_, n_ * sizeof(Body));
        cudaMalloc(&force_, n_ * sizeof(float3));
        cudaMemcpyAsync(bodies_, bodies.data(), n_ * sizeof(Body), cudaMemcpyHostToDevice, stream_);
    }
    ~GpuSimulation() override { cudaFree(bodies_); cudaFree(force_); }
    void step(float dt) override;

  private:
    Body *bodies_{};
    float3 *force_{};
    Index n_;
    cudaStream_t stream_;
};

void GpuSimulation::step(float dt)
{
    const dim3 block{128}, grid{(n_ + 127) / 128};
    forces<<<grid, block, 0, stream_>>>(bodies_, force_, n_);
    void *args[] = {&bodies_, &force_, &dt, &n_};
    cudaLaunchKernel((const void *)drift, grid, block, args, 0, stream_);
    *this += 1;
}

bool operator==(const Body &a, const Body &b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
string operator""_label(const char *text, size_t) { return string(text); }

auto make_bodies = [](Index n) {
    mt19937 engine(42);
    uniform_real_distribution<float> uniform(0.f, 1.f);
    vector<Body> bodies(n);
    for (auto &body : bodies) body = {uniform(engine), uniform(engine), uniform(engine), 1.f};
    return bodies;
};

int main()
{
    GpuSimulation simulation(make_bodies(1 << 12));
    for (int i = 0; i < config::kSteps; ++i) simulation.step(config::kDt);
    cout << setw(8) << simulation << ' ' << config::name() << endl;
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
