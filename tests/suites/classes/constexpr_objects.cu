// Objects that are `constexpr`, made by constructors that initialize members, constant ones too, and assign them.
template <typename T> struct held { T first; __device__ constexpr held(const T &a) : first(a) {} };
struct plain { int first; const int second; __device__ constexpr plain(int a) : first(a), second(2 * a) { first += 1; } };
struct both { plain a; held<short> b; __device__ constexpr both(int x, short y) : a(x), b(y) {} };
__global__ void test(float *out)
{
    constexpr plain p(3);
    constexpr held<const double> h(2.5);
    constexpr both x(4, 5);
    static_assert(p.first == 4 && x.a.second == 8, "");
    out[0] = p.first + p.second, out[1] = h.first, out[2] = x.a.first * x.b.first;
}
