// Structs, unions, enums and pointers to them as what is deduced.
struct Point { int x, y; };
struct Range { int from; int to; };
union Word { int i; float f; };
enum Kind { SMALL = 3, LARGE = 30 };
template <class T> __device__ T copied(const T &a) { return a; }
template <class T> __device__ int size_of(const T *) { return (int)sizeof(T); }
template <class T> __device__ void reset(T *p) { *p = T(); }
template <class T> __device__ T made(int a, int b) { return T{a, b}; }
template <class S> __device__ int sum(S s) { auto [a, b] = s; return a + b; }

extern "C" __global__ void test(int *out)
{
    Point p = {1, 2};
    Range r = made<Range>(5, 9);
    Word w;
    w.f = 1.0f;
    out[0] = copied(p).y;
    out[1] = r.to - r.from;
    out[2] = copied(w).i;
    out[3] = size_of(&w);
    out[4] = size_of(&r);
    out[5] = copied(LARGE);
    out[6] = sum(p) + sum(r) * 10;
    reset(&p);
    out[7] = p.x + p.y;
    out[8] = made<Point>(3, 4).y;
    Kind k = SMALL;
    reset(&k);
    out[9] = k;
}
