//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)

// Conversion functions that are called by their names.
struct Base {
    float value;
    __device__ operator float() const { return value; }
    __device__ operator const float *() const { return &value; }
};
struct Number : Base {
    __device__ explicit operator int() const { return int(value) * 2; }
    __device__ operator float &() { return value; }
    __device__ int twice() const { return this->operator int() * 2; }
};
template <typename T, typename N> __device__ T converted(const N &n) { return n.operator T(); }
template <typename T> struct Holder {
    T held;
    __device__ operator T() const { return held; }
    __device__ T again() const { return this->operator T() + 1; }
};

extern "C" __global__ void test(float *out) {
    Number n;
    n.value = threadIdx.x + out[threadIdx.x];
    const Number *p = &n;
    n.operator float &() += 1;
    Holder<int> h = {int(threadIdx.x)};
    out[threadIdx.x] = p->operator int() + n.operator const float *()[0] + n.twice() + converted<float>(n) +
                       p->Base::value + h.operator int() + h.again();
}
