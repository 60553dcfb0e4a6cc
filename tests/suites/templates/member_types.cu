// `typename T::type`: a member typedef of a struct that is the argument.
struct Single { typedef float type; float value; enum { width = 1 }; };
struct Double { using type = double; double value; enum { width = 2 }; };
struct Nested { struct Item { int a, b; }; typedef Item *pointer; enum Kind { ONE = 1, TWO = 22 }; };
template <class S> __device__ typename S::type twice(const S &s)
{
    typename S::type result = s.value;
    return result + result;
}
template <class S> __device__ int size_of_type() { return (int)sizeof(typename S::type) * S::width; }
template <class S> __device__ int kind(typename S::Kind k) { return k + S::ONE; }
template <class S> __device__ int second(typename S::pointer p)
{
    using Item = typename S::Item;
    Item copy = *p;
    return copy.b;
}

extern "C" __global__ void test(int *out)
{
    Single s = {1.25f};
    Double d = {2.5};
    Nested::Item item = {3, 4};
    out[0] = (int)(twice(s) * 10);
    out[1] = (int)(twice(d) * 10);
    out[2] = size_of_type<Single>();
    out[3] = size_of_type<Double>();
    out[4] = kind<Nested>(Nested::TWO);
    out[5] = second<Nested>(&item);
}
