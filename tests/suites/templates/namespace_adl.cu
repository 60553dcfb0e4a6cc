// Argument-dependent lookup of templates, and from within templates.
namespace geo {
struct Point { int x, y; };
enum Axis { X, Y = 7 };
template <class T> __device__ int norm(const T &p) { return p.x * p.x + p.y * p.y; }
template <class T> __device__ int of_axis(T a) { return a * 2; }
__device__ int cost(Point p) { return p.x; }
template <class T> __device__ int of_pointer(T *p) { return p->y; }
}
namespace other {
struct Size { int w; };
__device__ int cost(Size s) { return s.w * 10; }
}
__device__ int cost(int a) { return a * 100; }
template <class T> __device__ int total(T a, T b) { return cost(a) + cost(b); }

extern "C" __global__ void test(int *out)
{
    geo::Point p = {3, 4}, q = {5, 6};
    other::Size s = {7}, t = {8};
    out[0] = norm(p);
    out[1] = of_axis(geo::Y);
    out[2] = of_pointer(&q);
    out[3] = total(p, q);
    out[4] = total(s, t);
    out[5] = total(1, 2);
}
