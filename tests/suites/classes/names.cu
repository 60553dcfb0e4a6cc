// What names mean in member functions: parameters and locals hide members, members hide what is outside.
__device__ int size() { return 1000; }
__device__ int value(int a) { return a + 500; }
constexpr int width = 77;
typedef float Real;
namespace lib {
struct Item { int i; };
__device__ int value(Item a) { return a.i; }
}

struct Box {
    int width, height;
    struct Real { int r; };
    __device__ int area() const { return width * height; }
    __device__ int size() const { return area() + ::size(); }
    __device__ int hidden(int width) { return width + this->width + ::width; }
    __device__ int local()
    {
        int height = 3;
        {
            int width = height + 1;
            height += width;
        }
        return height * width;
    }
    __device__ int value(int a) const { return a; }
    __device__ int both(lib::Item item) const { return value(4) + ::value(4) + lib::value(item); }
    __device__ int real() const { Real r{5}; return r.r + sizeof(::Real); }
    __device__ int loop() const;
};

__device__ int Box::loop() const
{
    int sum = 0;
    for (int height = 0; height < width; height++)
        sum += height * Box::area();
    return sum;
}

extern "C" __global__ void test(int *out)
{
    Box box{2, 3};
    out[0] = box.area();
    out[1] = box.size();
    out[2] = box.hidden(4);
    out[3] = box.local();
    out[4] = box.both(lib::Item{6});
    out[5] = box.real();
    out[6] = box.loop();
}
