// A renderer of the demo scene: a vector class with operators for the host, `using namespace std`, constants in every spelling, PPM output.
//@ args: --expt-relaxed-constexpr
//@ launch: march grid=2,2 block=8,4
//@ arg: {{f32:0, f32:0.5, f32:-3}, f32:0, f32:1.2, {13, 7}}
//@ arg: depth=f32[7,13]=zeros
//@ arg: hits=u32[7,13]=zeros
//@ tolerance: 1e-4 absolute
//@ launch: shade grid=3 block=32
//@ arg: f32[91]=random(1, 0, 12)
//@ arg: u32[91]=random(2, 0, 3)
//@ arg: image=u8[91,4]=zeros
//@ arg: u8:1
//@ arg: 91
//@ launch: box_filter grid=1 block=13,7
//@ arg: u8[7,13,4]=random(3)
//@ arg: out=u8[7,13,4]=zeros
//@ arg: {13, 7}
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>

using namespace std;

constexpr int max_steps(int quality) { return 16 << quality; }
constexpr float radians(float degrees) { return degrees * 3.14159265f / 180.0f; }
const int WIDTH(640), HEIGHT(480);
const float FAR(12.0f), NEAR(1e-3f);
static const std::uint8_t OPAQUE(255), BLACK[4] = {0, 0, 0, 255};
const char *const OUTPUT("out.ppm");

enum class Material : std::uint8_t { sky, floor, ball, count };
enum class Filter : std::uint8_t { none = 0, dither };

struct Size { int width, height; } const full_size = {WIDTH, HEIGHT};
struct Camera {
    static const int DEPTH = 3;
    static constexpr float FOV = 60.0f;
    struct { float x, y, z; } eye;
    float yaw, zoom;
    Size size;
    void look(float by) { yaw += radians(by); }
} camera = {{0, 0.5f, -3}, 0, 1.2f, {WIDTH, HEIGHT}}, saved_camera;

// For the host alone.
class vec3 {
  public:
    vec3() : v{0, 0, 0} {}
    vec3(float x, float y, float z) : v{x, y, z} {}
    explicit vec3(const float *p) { copy(p, p + 3, v.begin()); }
    float &operator[](size_t i) { return v[i]; }
    const float &operator[](size_t i) const { return v[i]; }
    vec3 &operator+=(const vec3 &o) { for (size_t i = 0; i < 3; ++i) v[i] += o[i]; return *this; }
    vec3 operator-() const { return {-v[0], -v[1], -v[2]}; }
    friend vec3 operator+(vec3 a, const vec3 &b) { return a += b; }
    friend vec3 operator*(float s, vec3 a) { for (auto &x : a.v) x *= s; return a; }
    friend bool operator!=(const vec3 &a, const vec3 &b) { return !(a.v == b.v); }
    friend ostream &operator<<(ostream &out, const vec3 &a) { return out << '(' << a[0] << ' ' << a[1] << ' ' << a[2] << ')'; }
    float length() const { return std::sqrt(inner_product()); }

  private:
    float inner_product() const { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }
    array<float, Camera::DEPTH> v;
};
const vec3 UP(0, 1, 0), LIGHT = vec3(1, 2, -1);

__device__ float ball(float3 p)
{
    const float r = std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    return r - 0.75f;
}

__device__ float scene(float3 p, Material *material)
{
    const float floor_at = p.y + 1.0f, ball_at = ball(p);
    *material = floor_at < ball_at ? Material::floor : Material::ball;
    return std::min(floor_at, ball_at);
}

__global__ void march(Camera from, float *depth, uint32_t *hits)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= from.size.width || y >= from.size.height) return;
    float3 d;
    d.x = (2.0f * x + 1 - from.size.width) / from.size.height;
    d.y = (from.size.height - 2.0f * y - 1) / from.size.height;
    d.z = from.zoom;
    const float scale = 1.0f / std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    d.x *= scale, d.y *= scale, d.z *= scale;
    const float s = ::sinf(from.yaw), c = ::cosf(from.yaw), turned = c * d.x + s * d.z;
    d.z = c * d.z - s * d.x;
    d.x = turned;
    float t = 0.0f;
    Material material = Material::sky;
    for (int step = 0; step < max_steps(2); ++step) {
        float3 p;
        p.x = std::fma(t, d.x, from.eye.x);
        p.y = std::fma(t, d.y, from.eye.y);
        p.z = std::fma(t, d.z, from.eye.z);
        Material seen;
        const float distance = scene(p, &seen);
        if (distance < NEAR) {
            material = seen;
            break;
        }
        t += std::abs(distance);
        if (t > FAR) break;
    }
    const int i = y * from.size.width + x;
    depth[i] = std::min(t, +FAR);
    hits[i] = static_cast<uint32_t>(material);
}

__global__ void shade(const float *depth, const std::uint32_t *hits, std::uint8_t (*image)[4], Filter filter, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int shade = static_cast<int>(std::max(0.0f, 1.0f - depth[i] / FAR) * OPAQUE);
    if (filter == Filter::dither) shade = std::min(shade + (i & 3), static_cast<int>(OPAQUE));
    const Material material = static_cast<Material>(hits[i]);
    switch (material) {
    case Material::floor: image[i][0] = image[i][1] = shade; break;
    case Material::ball: image[i][0] = shade; break;
    case Material::sky: image[i][2] = static_cast<uint8_t>(shade / 2); break;
    default: break;
    }
    image[i][Camera::DEPTH] = OPAQUE;
}

__global__ void box_filter(const uchar4 *in, uchar4 *out, Size size)
{
    const int x = threadIdx.x, y = threadIdx.y;
    int r = 0, g = 0, b = 0, n = 0;
    for (int v = max(y - 1, 0); v <= std::min(y + 1, size.height - 1); ++v)
        for (int u = std::max(x - 1, 0); u <= min(x + 1, size.width - 1); ++u, ++n) {
            const uchar4 pixel = in[v * size.width + u];
            r += pixel.x, g += pixel.y, b += pixel.z;
        }
    out[y * size.width + x] = make_uchar4(r / n, g / n, b / n, OPAQUE);
}

template <typename T, size_t N>
static void write_ppm(const string &name, const T (&pixels)[N], Size size)
{
    ofstream file(name, ios::binary);
    file << "P6\n" << size.width << ' ' << size.height << "\n" << int{numeric_limits<T>::max()} << '\n';
    for (size_t i = 0; i < N; i += 4) file.write(reinterpret_cast<const char *>(pixels + i), 3);
    if (!file) throw runtime_error("cannot write " + name);
}

int main(int argc, char *argv[])
{
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    const string name = argc > 1 ? argv[1] : OUTPUT;
    const vec3 eye(&camera.eye.x), towards = eye + 0.5f * -LIGHT;
    cout << "from " << eye << " to " << towards << ", " << towards.length() << (towards != UP ? "\n" : " up\n");
    float *depth;
    uint32_t *hits;
    uint8_t(*image)[4];
    if (cudaMalloc(&depth, sizeof(float) * WIDTH * HEIGHT) || cudaMalloc(&hits, sizeof *hits * WIDTH * HEIGHT) || cudaMalloc(&image, sizeof pixels))
        return EXIT_FAILURE;
    saved_camera = camera;
    camera.look(Camera::FOV / 4);
    march<<<dim3(WIDTH / 8, HEIGHT / 4), dim3(8, 4)>>>(camera, depth, hits);
    shade<<<(WIDTH * HEIGHT + 31) / 32, 32>>>(depth, hits, image, Filter::dither, WIDTH * HEIGHT);
    box_filter<<<1, dim3(13, 7)>>>((uchar4 *)image, (uchar4 *)image, {13, 7});
    cudaMemcpy(pixels, image, sizeof pixels, cudaMemcpyDeviceToHost);
    try {
        write_ppm(name, pixels, full_size);
    } catch (const exception &e) {
        cerr << e.what() << endl;
        return BLACK[0] + 1;
    }
    return cudaGetLastError();
}
