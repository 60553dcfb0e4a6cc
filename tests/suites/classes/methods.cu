// Member functions: const, static, overloaded, with default arguments, defined in the class and outside.
struct Vec {
    float x, y;
    __device__ float dot(const Vec &other) const { return x * other.x + y * other.y; }
    __device__ float length2() const { return dot(*this); }
    __device__ void set(float value);
    __device__ void set(float first, float second);
    __device__ float at(int i, float scale = FACTOR) const { return scale * (i ? this->y : this->x); }
    __device__ Vec *self() { return this; }
    __device__ const Vec &itself() const { return *this; }
    __device__ static float twice(float value) { return value * 2; }
    __device__ static float twice(int value);
    __device__ int sum_later() { return count_down(3); }
    __device__ int count_down(int n) { return n ? (int)x + count_down(n - 1) : 0; }
    static constexpr int FACTOR = 3;
    __device__ int unmarked(int n);
};
// nvcc takes it for the device's as well, with a warning.
int Vec::unmarked(int n) { return n + (int)y; }

__device__ void Vec::set(float value) { x = y = value; }
__device__ void Vec::set(float first, float second)
{
    set(first);
    y = second;
}
__device__ float Vec::twice(int value) { return value * 20; }

extern "C" __global__ void test(int *out)
{
    Vec a{1, 2};
    out[0] = (int)a.dot(Vec{3, 4});
    a.set(5);
    out[1] = (int)a.length2();
    a.set(6, 7);
    out[2] = (int)a.at(0) + (int)a.at(1, 10);
    out[3] = (int)a.self()->self()->y;
    out[4] = (int)Vec::twice(1.5f) + (int)a.twice(2);
    const Vec *p = &a;
    out[5] = (int)p->itself().itself().x;
    out[6] = (int)Vec{8, 9}.length2();
    out[7] = a.sum_later();
    Vec list[2] = {{1, 2}, {3, 4}};
    for (Vec &each : list)
        each.set(each.y);
    out[8] = (int)list[0].x + (int)list[1].at(1);
    out[9] = list[1].unmarked(40);
}
