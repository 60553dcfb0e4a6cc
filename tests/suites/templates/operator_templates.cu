// Operators that are templates.
struct Vec { float x, y; };
struct Int2 { int x, y; };
template <class T> __device__ Vec operator*(T s, Vec v) { return {s * v.x, s * v.y}; }
template <class T> __device__ Vec operator*(const Vec &v, T s) { return {v.x * s, v.y * s}; }
template <class V> __device__ auto operator+(const V &a, const V &b) -> decltype(V{a.x, a.y}) { return {a.x + b.x, a.y + b.y}; }
template <class V, class T> __device__ V &operator/=(V &v, T s)
{
    v.x /= s;
    v.y /= s;
    return v;
}
template <class V> __device__ V operator-(V v) { return {-v.x, -v.y}; }
template <class V> __device__ bool operator==(V a, V b) { return a.x == b.x && a.y == b.y; }
template <class T> __device__ int operator<<(Int2 v, T n) { return (v.x << n) + v.y; }

extern "C" __global__ void test(int *out)
{
    Vec v = {1.5f, 2.5f};
    Int2 i = {3, 4};
    out[0] = (int)(2 * v).y;
    out[1] = (int)((v * 0.5f).x * 100);
    out[2] = (int)(v + v).x;
    out[3] = (i + i).y;
    i /= 2;
    out[4] = i.x * 10 + i.y;
    out[5] = (-i).y;
    out[6] = i == i;
    out[7] = v == -v;
    out[8] = i << 4;
    out[9] = (int)operator*(4, v).x;
    out[10] = operator<< <short>(i, 2);
}
