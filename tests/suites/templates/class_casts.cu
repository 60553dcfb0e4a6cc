// A cast makes the class that it is to or from, if nothing has named a member of it.
template <typename T> struct Box {
    T value;
    explicit __device__ Box(unsigned x) : value(x) { }
    explicit __device__ operator unsigned() const { return value + 1; }
};
template <typename T> struct Held {
    unsigned s;
    explicit __device__ operator unsigned() const { return s + sizeof(T); }
};
__device__ unsigned to(unsigned x) { return static_cast<Box<short>>(x).value; }
__device__ unsigned of(unsigned x) { return (unsigned)Held<int>{x}; }
__device__ unsigned both(unsigned x) { return static_cast<unsigned>((Box<signed char>)x); }

extern "C" __global__ void test(int *out) {
    out[0] = to(out[0]) + 10 * of(out[1]) + 100 * both(out[2]);
}
