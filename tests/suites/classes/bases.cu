// Base classes: members, functions, constructors, conversions, empty bases.
struct Empty { __device__ int none() const { return 5; } typedef int Number; enum { WIDTH = 3 }; };
struct Point {
    int x, y;
    __device__ Point(int a = 1, int b = 2) : x(a), y(b) {}
    __device__ int sum() const { return x + y; }
    __device__ int scaled(int n) { return n * x; }
    __device__ static int make() { return 40; }
    __device__ bool operator==(const Point &o) const { return x == o.x && y == o.y; }
    __device__ operator int() const { return x * 10; }
};
struct Plain { int p; };
struct Named : Point {
    int z;
    __device__ Named(int a, int b, int c) : Point(a, b), z(c + x) {}
    __device__ Named() : z(9) { x += 100; }
    __device__ int sum() const { return Point::sum() + z; }
    __device__ int all() { return sum() + scaled(2) + make() + this->y; }
};
struct Deep : public Named, Empty {
    Number w = WIDTH;
    __device__ Deep(int a) : Named(a, a, a) {}
    __device__ int deep() const { return x + z + w + none(); }
};
struct Second : Plain, Point {
    int s;
    __device__ Second() : Plain(), Point(3), s(p + x) { p = 7; }
};
struct Aggregate : Plain { int q; };
class Guarded {
    int hidden;
protected:
    int open;
    __device__ int look() const { return hidden; }
public:
    __device__ Guarded(int h) : hidden(h), open(h + 1) {}
};
struct Uses : Guarded {
    __device__ Uses() : Guarded(30) {}
    __device__ int get() const { return open + look(); }
};
struct Tag {};
struct Less : Tag { __device__ bool operator()(int a, int b) const { return a < b; } };

__device__ int byRef(const Point &p) { return p.x * 2 + p.y; }
__device__ int byPointer(const Point *p) { return p->sum(); }
__device__ int byValue(Point p) { return p.y; }
__device__ int change(Point &p) { p.x = 50; return p.y; }
__device__ int pick(const Point &) { return 1; }
__device__ int pick(const Named &) { return 2; }
__device__ int pick(const void *) { return 3; }
__device__ int pick(const Point *) { return 4; }
__device__ int takes(const Empty &e) { return e.none(); }

extern "C" __global__ void test(int *out)
{
    Named n(1, 2, 3), m;
    Deep d(4);
    Second s;
    out[0] = n.sum() + n.all() * 100 + m.x * 10000;
    out[1] = d.deep() + static_cast<Named &>(d).sum() * 100 + d.x * 10000;
    out[2] = byRef(n) + byPointer(&d) * 100 + byValue(d) * 10000;
    out[3] = change(s) + s.x * 100 + s.s * 10000 + s.p;
    out[4] = pick(n) + pick(d) * 10 + pick(&d) * 100 + pick(&s.x) * 1000;
    out[5] = sizeof(Deep) + sizeof(Second) * 100 + sizeof(Less) * 10000;
    Point copy = d;
    copy = n;
    out[6] = copy.x + copy.y * 10 + (n == Point(1, 2)) * 100 + (m == n) * 1000;
    Aggregate a{{11}, 12}, b = {13, 14};
    out[7] = a.p + a.q * 100 + b.p * 10000 + b.q;
    Point *p = &s;
    const Plain &plain = s;
    out[8] = p->sum() + plain.p * 100 + (int)((char *)p - (char *)&s) * 10000;
    Named *back = static_cast<Named *>(static_cast<Point *>(&n));
    out[9] = back->z + static_cast<Deep &>(static_cast<Named &>(d)).w * 100;
    out[10] = Uses().get() + Less()(1, 2) * 1000 + takes(d) * 10000;
    out[11] = n + 1 + Deep::WIDTH + (Deep::Number)2;
    Guarded guarded(2);
    out[13] = sizeof(guarded);
    Deep many[2] = {1, 2};
    out[12] = many[1].deep() + many[0].z * 100;
}
