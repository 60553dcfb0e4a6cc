// Functions of the arguments' namespaces are found though they are declared after the template.
template <class T> __device__ int measured(const T &a) { return measure(a); }
template <class T> __device__ int twice(T a) { return weight(a, 2); }
struct Box { int w; };
__device__ int measure(const Box &b) { return b.w * 3; }
namespace shapes {
struct Ball { int r; };
enum Size { BIG = 50 };
__device__ int measure(Ball b) { return b.r * 5; }
template <class T> __device__ int weight(T a, int n) { return a * n; }
}

extern "C" __global__ void test(int *out)
{
    Box b = {4};
    shapes::Ball ball = {6};
    out[0] = measured(b);
    out[1] = measured(ball);
    out[2] = twice(shapes::BIG);
}
