// A `>>` that closes the list of a pattern, too: what follows it expands the pattern, and nothing within the list.
template <class T> struct Box { T v; };
template <class B> struct Outer {
    float v;
    __device__ operator float() const { return v + sizeof(B); }
};
__device__ float sum() { return 0; }
template <class T, class... U> __device__ float sum(T a, U... b) { return float(a) + 2 * sum(b...); }
template <class... T> __device__ float all(T... a) { return sum(Outer<Box<T>>{float(a)}...); }
template <class... T> __device__ float same(T... a) { return sum(Outer<Box<short>>{float(a)}...); }
template <int... N> __device__ float values() { return sum(Outer<Box<char[N]>>{N}...); }

extern "C" __global__ void test(int *out) {
    out[0] = all(out[0], short(out[1]), double(out[2]));
    out[1] = same(out[3], 2.5f);
    out[2] = values<1, 2, 3>();
}
