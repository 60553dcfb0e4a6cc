// Member initializers: order, kinds of members, delegation, default member values, definitions outside.
__device__ int n_calls;
__device__ int next() { return ++n_calls; }

struct Pair { int a, b; };

struct Order {
    int first, second, third;
    __device__ Order() : third(next()), first(next()), second(next()) {}
};

struct Kinds {
    int number;
    const float constant;
    int &reference;
    int array[3];
    Pair pair;
    unsigned bits : 5;
    int zero;
    int *pointer;
    Pair pairs[2];
    __device__ Kinds(int &object, int n)
        : number(n), constant(n + 0.5f), reference(object), array{n, n + 1}, pair{n, 9}, bits(n + 32), zero(), pointer(&object),
          pairs{{1, 2}, {3, n}} { reference += n; }
};

struct Delegating {
    int a = 1, b = a + 1;
    int c;
    __device__ Delegating(int x, int y) : a(x), c(y) {}
    __device__ Delegating(int x) : Delegating(x, 7) { c += b; }
    __device__ explicit Delegating();
    __device__ Delegating(const char *, ...) : b(50), c(3) {}
};
__device__ Delegating::Delegating() : Delegating(40) { a++; }

struct Outer {
    struct Inner {
        int v;
        __device__ Inner(int a = 3) : v(a) {}
    };
    Inner one, two{5}, three = 6;
    Inner many[3];
    __device__ Outer() : one(2) {}
    __device__ Outer(Inner i) : one(i), many{1, Inner(2)} {}
};

union Number {
    int i;
    float f;
    __device__ Number(int a) : i(a) {}
    __device__ Number(float a) : f(a) {}
};

struct Shadow {
    int x, y;
    __device__ Shadow(int x, int y) : x(x), y(y) { x = 100; this->y += x; }
};

extern "C" __global__ void test(int *out)
{
    n_calls = 0;
    Order order;
    out[0] = order.first * 100 + order.second * 10 + order.third;
    int object = 4;
    Kinds kinds(object, 3);
    out[1] = kinds.number + (int)(kinds.constant * 10) + object * 100;
    out[2] = kinds.array[0] + kinds.array[1] * 10 + kinds.array[2] * 100 + kinds.pair.a * 1000 + kinds.pair.b * 10000;
    out[3] = kinds.bits + kinds.zero * 10 + *kinds.pointer * 100 + kinds.pairs[1].b * 10000;
    Delegating d(6), e, f("x", 1, 2.0);
    out[4] = d.a + d.b * 10 + d.c * 100;
    out[5] = e.a + e.b * 10 + e.c * 100;
    out[6] = f.a + f.b * 10 + f.c * 100;
    Outer p, q(8);
    out[7] = p.one.v + p.two.v * 10 + p.three.v * 100 + p.many[2].v * 1000;
    out[8] = q.one.v + q.two.v * 10 + q.many[0].v * 100 + q.many[1].v * 1000 + q.many[2].v * 10000;
    Number n(0x3f800000), m(2.0f);
    out[9] = (int)n.f + m.i;
    Shadow s(1, 2);
    out[10] = s.x + s.y * 10;
    out[11] = Delegating(3).c + Outer(Outer::Inner{9}).one.v;
}
