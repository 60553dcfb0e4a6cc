// Operators that are member functions.
struct Num {
    int v;
    __device__ Num operator+(const Num &o) const { return {v + o.v}; }
    __device__ Num operator+(int o) const { return {v + 100 * o}; }
    __device__ Num operator-() const { return {-v}; }
    __device__ Num operator-(Num o) const { return {v - o.v}; }
    __device__ Num &operator+=(const Num &o) { v += o.v; return *this; }
    __device__ Num &operator++() { ++v; return *this; }
    __device__ Num operator++(int) { Num old = *this; v += 10; return old; }
    __device__ bool operator==(const Num &o) const { return v == o.v; }
    __device__ bool operator<(const Num &o) const { return v < o.v; }
    __device__ bool operator!() const { return v == 0; }
    __device__ int operator()(int a, int b = 5) const { return a * v + b; }
    __device__ int operator()() const { return v; }
    __device__ Num &operator=(int value) { v = value; return *this; }
    __device__ int operator[](int i) const { return v >> i; }
    __device__ Num *operator->() { return this; }
    __device__ int &operator*() { return v; }
    __device__ Num *operator&() { return this + 1; }
};
__device__ Num operator*(const Num &a, const Num &b) { return {a.v * b.v}; }
__device__ Num operator%(Num a, int b) { return {a.v % b}; }

struct Array {
    int data[4];
    __device__ int &operator[](int i) { return data[i]; }
    __device__ const int &operator[](int i) const { return data[i + 1]; }
};

extern "C" __global__ void test(int *out)
{
    Num a{3}, b{4};
    out[0] = (a + b).v + (a + 2).v;
    out[1] = (-a - b).v;
    a += b;
    a += a;
    out[2] = a.v;
    out[3] = (++a).v + (a++).v;
    out[4] = (a == b) + 2 * (b < a) + 4 * !Num{0};
    out[5] = a(2) + a(2, 3) + a();
    b = 40;
    out[6] = b.v + b[3];
    b = a;
    out[7] = b->v + (*b = 9) + b.v;
    out[8] = (a * b % 7).v;
    out[9] = (int)(&a - (Num *)&reinterpret_cast<char &>(a));
    Array d{{1, 2, 3, 4}};
    d[2] = 30;
    const Array &e = d;
    out[10] = d[1] + d[2] + e[1];
    out[11] = a.operator+(b).v + a.operator()(1);
}
