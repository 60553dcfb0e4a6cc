//@ launch: test grid=1 block=1
//@ arg: out=f32[256]=fill(1)
// Default member initializers of arrays and structs that leave elements out: these are zero, other members stay as they are.
#include <new>
template <int N> struct Square { float c[N][N] = {}; };
struct Pair { float c[2] = {}; };
struct First { float c[3] = {1}; float d[2][2] = {{2}}; char text[6] = "ab"; int n = 3; };
template <typename T> struct Of { T c[4] = {1, 2}; };
struct Point { float x, y, z; };
struct Held { Point at = {1}; Point corner[2] = {{2, 3}}; };
struct Made { float c[3] = {4}; float other; __device__ Made() : other(5) {} };
struct Outer { Pair pair; First first[2]; int left; };
struct Derived : Pair { float e[2] = {6}; };
template <typename T> __device__ float sum(const T &object)
{
    float total = 0;
    for (unsigned i = 0; i < sizeof(T) / 4; i++)
        total += (i + 1) * reinterpret_cast<const float *>(&object)[i];
    return total;
}
extern "C" __global__ void test(float *out)
{
    float memory[64];
    for (int i = 0; i < 64; i++)
        memory[i] = 100;
    Square<2> square;
    Pair pair;
    Of<float> of;
    Held held;
    Made made;
    Derived derived;
    out[0] = sum(square), out[1] = sum(pair), out[2] = sum(of), out[3] = sum(held), out[4] = sum(made), out[5] = sum(derived);
    First first;
    out[6] = first.c[0] + first.c[1] + first.c[2] + first.d[0][0] + first.d[0][1] + first.d[1][0] + first.d[1][1];
    out[7] = first.text[1] + first.text[2] + first.text[5] + first.n;
    Outer outer;
    out[8] = outer.pair.c[1] + outer.first[1].c[0] + outer.first[1].c[2] + outer.first[0].d[1][1] + outer.first[1].n;
    Pair pairs[3];
    out[9] = pairs[2].c[0] + pairs[0].c[1];
    Held *in_memory = new (memory) Held;
    out[10] = sum(*in_memory) + memory[9];
    Pair *allocated = new Pair;
    out[11] = sum(*allocated);
    delete allocated;
    out[12] = sum(Pair()) + sum(Held{}) + Of<int>().c[3];
}
