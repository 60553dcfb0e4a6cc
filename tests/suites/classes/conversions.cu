// Conversions by constructors and conversion functions.
struct Meters {
    float v;
    __device__ Meters(float a) : v(a) {}
    __device__ explicit Meters(int a) : v(a * 1000.0f) {}
    __device__ operator float() const { return v; }
};
struct Index {
    int i;
    __device__ explicit Index(int a) : i(a) {}
    __device__ operator int() const { return i; }
    __device__ operator Meters() const { return Meters(i + 0.5f); }
    __device__ explicit operator bool() const { return i > 2; }
};
struct Pointer {
    int *p;
    __device__ Pointer(int *q) : p(q) {}
    __device__ operator int *() { return p; }
    __device__ operator const int *() const { return p + 1; }
};
enum Color { RED, GREEN, BLUE };
struct Painted {
    Color c;
    __device__ Painted(Color a) : c(a) {}
    __device__ operator Color() const { return c; }
};
__device__ int take(Meters m) { return (int)m.v; }
__device__ int takeRef(const Meters &m) { return (int)(m.v * 2); }
__device__ int over(Meters) { return 1; }
__device__ int over(const char *) { return 2; }
__device__ int best(int) { return 1; }
__device__ int best(double) { return 2; }
__device__ Meters give(float f) { return f; }
__device__ Meters giveInt(int i) { return Meters(i); }
__device__ Meters choose(bool b, Meters m) { return b ? m : Meters(7.0f); }

extern "C" __global__ void test(int *out)
{
    Index i(3), j{2};
    out[0] = take(1.5f) + take(2) * 10 + take(Meters(2)) * 100;
    out[1] = takeRef(2.5f) + takeRef(i) * 10;
    out[2] = over(1.0f) + over("x") * 10 + best(i) * 100;
    out[3] = i + j * 2 + (i < j) + (i == 3) * 10 - -i + (~j & 7);
    out[4] = (i ? 1 : 2) + (j ? 10 : 20) + (!i) * 100 + (i && j) * 1000;
    int data[4] = {10, 20, 30, 40};
    Pointer p(data);
    const Pointer q(data);
    out[5] = *p + p[2] + *q + q[1];
    out[6] = data[i] + i[data];
    Meters m = i;
    out[7] = (int)(m.v * 10) + (int)give(3.0f).v + (int)giveInt(2).v;
    m = 5.0f;
    out[8] = (int)(m + 1.0f) + (int)static_cast<Meters>(3).v + (int)((Meters)4).v;
    Painted painted = GREEN;
    switch (painted) {
    case RED: out[9] = 1; break;
    case GREEN: out[9] = 2; break;
    default: out[9] = 3;
    }
    switch (i) { case 3: out[10] = 7; break; default: out[10] = 8; }
    out[11] = (int)choose(true, 2.0f) + (int)choose(false, 3.0f) + (painted == GREEN) * 100;
    float f = m;
    f += i;
    double d = i;
    out[12] = (int)f + (int)d + (i >> 1) + (1 << j);
    int n = (int)m, k = int(i), l = static_cast<int>(j);
    out[13] = n + k * 10 + l * 100;
    while (i) { i.i--; out[14] = i; }
    out[15] = data[Index(1)] + (Index(5) % 3) + (Index(2), 4);
}
