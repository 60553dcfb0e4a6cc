// Heat in three dimensions: 3-D grids and blocks, pitched memory, double precision, a configuration file read by C++ streams.
//@ launch: heat_step grid=2,2,3 block=4,4,2
//@ arg: {&u, 64, 6, 5}
//@ arg: {&v, 64, 6, 5}
//@ arg: {f64:0.1, f64:0.05, f64:0.025, f64:1}
//@ arg: 7
//@ arg: u=f64[5,6,8]=random(1)
//@ arg: v=f64[5,6,8]
//@ tolerance: 1e-12 absolute
//@ launch: heat_energy grid=2,1,2 block=8,4,2
//@ arg: {&u, 64, 6, 5}
//@ arg: 7
//@ arg: energy=u64={0}
//@ arg: u=f64[5,6,8]=random(2)
//@ launch: heat_init grid=1,1,5 block=8,8
//@ arg: {&u, 64, 6, 5}
//@ arg: 7
//@ arg: {f64:3, f64:2, f64:1, f64:0.5}
//@ arg: u=f64[5,6,8]=zeros
//@ tolerance: 1e-12 absolute
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <locale>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

// A row-major volume whose rows are padded, as cudaMalloc3D makes them.
struct Volume {
    double *data;
    unsigned pitch;
    int height, depth;
};

#define ROW(volume, y, z) ((double *)((char *)(volume).data + ((size_t)(z) * (volume).height + (y)) * (volume).pitch))
#define WRAP(i, n) (((i) + (n)) % (n))

static __device__ __forceinline__ double second(double before, double at, double after)
{
    return before - 2.0 * at + after;
}

__global__ void heat_step(Volume from, Volume to, double4_16a k, int width, double *u, double *v)
{
    const uint3 t = threadIdx;
    const int x = blockIdx.x * blockDim.x + t.x, y = blockIdx.y * blockDim.y + t.y, z = blockIdx.z * blockDim.z + t.z;
    if (x >= width || y >= from.height || z >= from.depth || from.data != u || to.data != v) return;
    const double *row = ROW(from, y, z), at = row[x];
    double sum = k.x * second(row[WRAP(x - 1, width)], at, row[WRAP(x + 1, width)]);
    sum += k.y * second(ROW(from, WRAP(y - 1, from.height), z)[x], at, ROW(from, WRAP(y + 1, from.height), z)[x]);
    sum += k.z * second(ROW(from, y, WRAP(z - 1, from.depth))[x], at, ROW(from, y, WRAP(z + 1, from.depth))[x]);
    ROW(to, y, z)[x] = at + k.w * sum;
}

__global__ void heat_energy(Volume from, int width, unsigned long long *energy, const double *)
{
    __shared__ unsigned long long total;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (thread == 0) total = 0;
    __syncthreads();
    for (int z = blockIdx.z * blockDim.z + threadIdx.z; z < from.depth; z += gridDim.z * blockDim.z)
        for (int y = threadIdx.y; y < from.height; y += blockDim.y)
            for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x) {
                const double at = ROW(from, y, z)[x];
                atomicAdd(&total, (unsigned long long)llrint(at * at * 0x1p20));
            }
    __syncthreads();
    if (thread == 0) atomicAdd(energy, total);
}

__global__ void heat_init(Volume to, int width, double4_16a source, double *)
{
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.z;
    if (x >= width || y >= to.height) return;
    const double dx = x - source.x, dy = y - source.y, dz = z - source.z;
    ROW(to, y, z)[x] = 1.0 / (source.w + dx * dx + dy * dy + dz * dz);
}

namespace {

using Settings = std::unordered_map<std::string, std::string>;

struct ConfigError : std::domain_error {
    using std::domain_error::domain_error;
    int line = 0;
};

std::string trimmed(std::string text)
{
    const auto is_space = [locale = std::locale::classic()](char c) { return std::isspace(c, locale); };
    text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), is_space));
    text.erase(std::find_if_not(text.rbegin(), text.rend(), is_space).base(), text.end());
    return text;
}

Settings read_config(std::istream &in)
{
    static const std::set<std::string, std::less<>> known{"nx", "ny", "nz", "steps", "kappa", "output"};
    Settings settings;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        if (const auto hash = line.find('#'); hash != std::string::npos) line.resize(hash);
        if ((line = trimmed(std::move(line))).empty()) continue;
        const auto equals = line.find('=');
        auto key = trimmed(line.substr(0, equals));
        if (equals == std::string::npos || !known.count(key)) {
            ConfigError error("line " + std::to_string(number) + ": unknown setting \"" + key + '"');
            error.line = number;
            throw error;
        }
        settings.insert_or_assign(std::move(key), trimmed(line.substr(equals + 1)));
    }
    return settings;
}

template <class T> T get(const Settings &settings, const char *key, T otherwise = T())
{
    const auto found = settings.find(key);
    if (found == end(settings)) return otherwise;
    std::istringstream stream{found->second};
    T value;
    if (!(stream >> std::boolalpha >> value)) throw ConfigError(std::string{"invalid value for "} + key);
    return value;
}

class Grid3 {
  public:
    explicit Grid3(cudaExtent extent) : extent_{extent} { cudaMalloc3D(&pointer_, extent); }
    ~Grid3() { cudaFree(pointer_.ptr); }
    operator Volume() const
    {
        return {static_cast<double *>(pointer_.ptr), unsigned(pointer_.pitch), int(extent_.height), int(extent_.depth)};
    }
    void copy_to(std::vector<double> &host) const
    {
        cudaMemcpy3DParms parameters{};
        parameters.srcPtr = pointer_;
        parameters.dstPtr = make_cudaPitchedPtr(host.data(), extent_.width, extent_.width / sizeof(double), extent_.height);
        parameters.extent = extent_;
        parameters.kind = cudaMemcpyDeviceToHost;
        cudaMemcpy3D(&parameters);
    }

  private:
    cudaExtent extent_;
    cudaPitchedPtr pointer_{};
};

} // namespace

int main(int argc, char **argv) try
{
    std::ifstream file;
    if (argc > 1) file.open(argv[1]), file.exceptions(std::ios::badbit);
    const Settings settings = read_config(argc > 1 ? file : std::cin);
    const int nx = get(settings, "nx", 64), ny = get(settings, "ny", 64), nz = get<int>(settings, "nz", 64);
    const auto kappa = get(settings, "kappa", 0.1);
    const Grid3 a(make_cudaExtent(nx * sizeof(double), ny, nz)), b{make_cudaExtent(nx * sizeof(double), ny, nz)};
    const Grid3 *from = &a, *to = &b;
    unsigned long long *energy = nullptr;
    cudaMallocManaged(&energy, sizeof *energy);
    dim3 block(32, 4, 2), grid;
    grid.x = (nx + block.x - 1) / block.x, grid.y = (ny + block.y - 1) / block.y, grid.z = (nz + block.z - 1) / block.z;
    heat_init<<<{1, 1, unsigned(nz)}, {unsigned(nx), unsigned(ny)}>>>(*from, nx, make_double4_16a(nx / 2., ny / 2., nz / 2., 1), nullptr);
    for (int step = 0, n = get(settings, "steps", 100); step < n; ++step, std::swap(from, to)) {
        const Volume u = *from, v = *to;
        heat_step<<<grid, block>>>(u, v, double4_16a{kappa, kappa, kappa, 0.1}, nx, u.data, v.data);
        if (step % 10) continue;
        heat_energy<<<dim3(2, 1, 2), dim3(8, 4, 2)>>>(v, nx, energy, v.data);
        cudaDeviceSynchronize();
        std::cout << std::setw(5) << step << std::hex << std::showbase << *energy << std::dec << '\n';
    }
    std::vector<double> result(std::size_t(nx) * ny * nz, std::numeric_limits<double>::quiet_NaN());
    from->copy_to(result);
    std::ofstream(get(settings, "output", std::string("heat.raw")), std::ios::binary)
        .write(reinterpret_cast<const char *>(result.data()), result.size() * sizeof(double));
} catch (const ConfigError &error) {
    std::cerr << error.line << ": " << error.what() << std::endl;
    return 2;
}
