// gravity: one step of n bodies under gravity, all pairs, with a vector class that has operators.
//
// Vec3 is a class as one finds it in renderers and simulations: constructors, operators as members and as
// friends, and functions that work on it. The kernel reads like the formula, and the code is the same as for
// single numbers. Shared memory holds a tile of bodies at a time.
//
// Launch:  grid ceil(n / 128), block 128; in `step`, which the host calls
// n        bodies
// dt       time step, s
// soft2    softening length squared, m^2; above 0
// body     n bodies, read
// next     n bodies, written

class Vec3 {
public:
    float x, y, z;

    Vec3() = default;
    __host__ __device__ explicit constexpr Vec3(float all) : x(all), y(all), z(all) {}
    __host__ __device__ constexpr Vec3(float x, float y, float z) : x(x), y(y), z(z) {}

    __host__ __device__ Vec3 &operator+=(const Vec3 &other)
    {
        x += other.x;
        y += other.y;
        z += other.z;
        return *this;
    }
    __host__ __device__ Vec3 operator-() const { return {-x, -y, -z}; }

    friend __host__ __device__ Vec3 operator+(Vec3 a, const Vec3 &b) { return a += b; }
    friend __host__ __device__ Vec3 operator-(const Vec3 &a, const Vec3 &b) { return a + -b; }
    friend __host__ __device__ Vec3 operator*(float factor, const Vec3 &v)
    {
        return Vec3(factor * v.x, factor * v.y, factor * v.z);
    }
    friend __host__ __device__ float dot(const Vec3 &a, const Vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
};

struct Body {
    Vec3 at;
    float mu; // gravitational parameter G * mass, m^3 / s^2
    Vec3 velocity;

    __device__ Vec3 pull_of(const Body &other, float soft2) const
    {
        const Vec3 way = other.at - at;
        const float inverse = rsqrtf(dot(way, way) + soft2);
        return other.mu * inverse * inverse * inverse * way;
    }

    __device__ Body moved(const Vec3 &acceleration, float dt) const
    {
        Body next = *this;
        next.velocity += dt * acceleration;
        next.at += dt * next.velocity;
        return next;
    }
};

template <int BLOCK>
__global__ void __launch_bounds__(BLOCK)
gravity(int n, float dt, float soft2, const Body *__restrict__ body, Body *__restrict__ next)
{
    __shared__ Body tile[BLOCK];

    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const Body nobody{Vec3(0), 0, Vec3(0)};
    const Body self = i < n ? body[i] : nobody;
    Vec3 acceleration(0);

    for (int first = 0; first < n; first += BLOCK) {
        const int mine = first + threadIdx.x;
        tile[threadIdx.x] = mine < n ? body[mine] : nobody;
        __syncthreads();
        for (const Body &other : tile)
            acceleration += self.pull_of(other, soft2);
        __syncthreads();
    }
    if (i < n)
        next[i] = self.moved(acceleration, dt);
}

// Steps of the whole system; the result is in `body`.
void step(int n_steps, int n, float dt, float soft2, Body *body, Body *next)
{
    constexpr int BLOCK = 128;
    for (int i = 0; i < n_steps; i++) {
        gravity<BLOCK><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(n, dt, soft2, body, next);
        cudaMemcpy(body, next, n * sizeof(Body), cudaMemcpyDeviceToDevice);
    }
}
