// Names that do not depend on a parameter mean what was declared before the template.
typedef short number;
const int COUNT = 3;
template <class T> __device__ int size_of(T) { return (int)sizeof(number) * 100 + COUNT; }
namespace n {
template <class T> __device__ int size_in_namespace(T) { return (int)sizeof(number) * 100 + COUNT; }
typedef double number;
const int COUNT = 4;
template <class T> __device__ int size_after(T) { return (int)sizeof(number) * 100 + COUNT; }
}

extern "C" __global__ void test(int *out)
{
    typedef char number;
    const int COUNT = 5;
    out[0] = size_of(1);
    out[1] = n::size_in_namespace(1);
    out[2] = n::size_after(1);
    out[3] = (int)sizeof(number) * 100 + COUNT;
}
