// A kernel made for a launch, with default arguments and member values of functions and classes that are no templates.
__device__ int g(int a = 7, int b = 3) { return a * 10 + b; }
struct D { int x = 5; int y = x + 1; };
template <class T> __global__ void k(T *p)
{
    D d;
    *p = g() + d.y;
}
int main()
{
    int *p = nullptr;
    k<<<1, 1>>>(p);
    k<<<1, 1>>>((float *)nullptr);
}
