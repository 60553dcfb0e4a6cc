// Namespaces with code for both: what is the host's is skipped, and what device code may use of types and constants is kept.
//@ launch: gpu::scale grid=1 block=4
//@ arg: i32={1, 2, 3, 4}
//@ arg: out=i32[4]
//@ expect: out={13, 15, 17, 19}
//@ launch: gpu::v1::offset grid=1 block=1
//@ arg: out=i32[1]
//@ expect: out={42}
//@ launch: top grid=1 block=1
//@ arg: out=i32[1]
//@ expect: out={3}
#include <vector>
#include <string>

namespace cpu {
int scale(int n) { return n * 2; }
struct Options { int factor; std::string name; };
struct Plain { int a, b; };
const int FACTOR = 2;
enum Mode { FIRST = 11, SECOND };
class Window { int handle; public: Window() : handle(0) {} int get() const { return handle; } };
template <class T> T largest(const std::vector<T> &list) { T all = list[0]; for (T x : list) if (all < x) all = x; return all; }
namespace { int counter; int count() { return ++counter; } }
}
namespace std { template <> struct hash<cpu::Plain> { size_t operator()(const cpu::Plain &p) const { return p.a; } }; }
namespace gpu {
using namespace std;
__device__ int scale_of(int n);
__device__ int scale_of(int n) { return n * cpu::FACTOR + cpu::FIRST; }
__global__ void scale(const int *in, int *out) { cpu::Plain p = {in[threadIdx.x], 1}; out[threadIdx.x] = scale_of(p.a); }
inline namespace v1 { __global__ void offset(int *out) { *out = 42; } }
void launch(const int *in, int *out) { scale<<<1, 4>>>(in, out); offset<<<1, 1>>>(out); }
}
__global__ void top(int *out) { *out = sizeof(cpu::Plain) - 5; }
int main()
{
    int *out = nullptr;
    cpu::Options options{2, "x"};
    cpu::Window window;
    gpu::launch(out, out);
    top<<<1, 1>>>(out);
    return options.factor + window.get() + cpu::scale(1) + cpu::largest<int>({1, 2}) + cpu::count() - 9;
}
