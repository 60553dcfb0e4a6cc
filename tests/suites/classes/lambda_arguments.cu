//@ launch: test grid=1 block=1
//@ arg: out=i32[16]=fill(3)
// A parenthesized object that is made of what a lambda expression returns is no type in parentheses.
struct S {
    unsigned s;
    __device__ S(unsigned x) : s(x) { }
};
template <typename T> struct Box {
    T s;
    __device__ Box(T x) : s(x) { }
};

extern "C" __global__ void test(int *out) {
    unsigned x = out[0];
    out[0] = (S([=]() { return x; }())).s;
    out[1] = (S([&] { return x + 1; }())).s + sizeof(S([3]));
    out[2] = (Box<unsigned>([x](unsigned y) { return x * y; }(5))).s;
    out[3] = (unsigned([]() { return 7; }())) + 1;
}
