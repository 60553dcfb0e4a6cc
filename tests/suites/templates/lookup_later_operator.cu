// Operators for a class are found in templates though they are declared after them.
template <class T> __device__ T sum(T a, T b) { return a + b; }
template <class T> __device__ T total(const T *a, int n)
{
    T t = a[0];
    for (int i = 1; i < n; i++) t += a[i];
    return t;
}
template <class T> __device__ bool less(T a, T b) { return a < b; }
struct Vec { int x, y; };
__device__ Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; }
__device__ Vec &operator+=(Vec &a, const Vec &b) { a.x += b.x; a.y += b.y; return a; }
namespace n {
struct Id { int a; };
__device__ bool operator<(Id a, Id b) { return a.a > b.a; }
}

extern "C" __global__ void test(int *out)
{
    Vec v[3] = {{1, 2}, {3, 4}, {5, 6}};
    out[0] = sum(v[0], v[1]).y;
    out[1] = total(v, 3).x;
    out[2] = less(n::Id{1}, n::Id{2});
    out[3] = less(1, 2);
}
