// Classes in namespaces and in one another, with `class`, access specifiers and members of each kind.
namespace outer {
class Counter {
public:
    enum Step { ONE = 1, TWO };
    struct Range {
        int first, last;
        __device__ int size() const { return last - first; }
        __device__ bool holds(int i) const;
    };
    static constexpr int LIMIT = 12;
    __device__ void start(int value) { n = clamp(value); }
    __device__ int next(Step step = TWO) { return n = clamp(n + step); }
    __device__ Range upto(int last) const { return Range{n, last}; }
    __device__ int size_of_n() const { return sizeof n + sizeof(Range); }

private:
    int n;
    __device__ static int clamp(int value) { return value < LIMIT ? value : LIMIT; }
};
__device__ bool Counter::Range::holds(int i) const { return first <= i && i < last; }

inline namespace v1 {
struct Pair {
    int a, b;
    __device__ int swap();
};
}
}
__device__ int outer::Pair::swap()
{
    int old = a;
    a = b;
    b = old;
    return a;
}

union Bits {
    float f;
    unsigned u;
    __device__ unsigned sign() const { return u >> 31; }
};

extern "C" __global__ void test(int *out)
{
    outer::Counter counter;
    counter.start(7);
    out[0] = counter.next();
    out[1] = counter.next(outer::Counter::ONE);
    out[2] = counter.next() + counter.next();
    outer::Counter::Range range = counter.upto(20);
    out[3] = range.size() + range.holds(15) + 2 * range.holds(20);
    out[4] = counter.size_of_n();
    outer::Pair pair{1, 2};
    out[5] = pair.swap() * 10 + pair.b;
    Bits bits;
    bits.f = -1;
    out[6] = (int)bits.sign();
}
