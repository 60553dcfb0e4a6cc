//@ launch: test grid=1 block=32
//@ arg: out=f32[256]=fill(1)

// Kinds of iterators as types of classes, with tag dispatch.
#include <cuda/std/iterator>
#include <iterator>
template <class T> struct View {
    struct iterator {
        typedef std::forward_iterator_tag iterator_category;
        typedef T value_type;
        typedef long difference_type;
        typedef T *pointer;
        typedef T &reference;
        T *p;
        __device__ T &operator*() const { return *p; }
        __device__ iterator &operator++() { ++p; return *this; }
        __device__ bool operator!=(const iterator &o) const { return p != o.p; }
    };
    T *data;
    int n;
    __device__ iterator begin() const { return iterator{data}; }
    __device__ iterator end() const { return iterator{data + n}; }
};
template <typename It> __device__ int steps(It, std::input_iterator_tag *) { return 1; }
template <typename It> __device__ int steps(It, std::random_access_iterator_tag *) { return 2; }
template <typename It> __device__ int steps(It it) {
    typename std::iterator_traits<It>::iterator_category *tag = nullptr;
    return steps(it, tag);
}
template <typename It> __device__ typename cuda::std::iterator_traits<It>::value_type sum(It first, It last) {
    typename cuda::std::iterator_traits<It>::value_type total = 0;
    for (; first != last; ++first) total += *first;
    return total;
}

extern "C" __global__ void test(float *out) {
    float list[3] = {1, 2, threadIdx.x + out[threadIdx.x]};
    const float *begin = list;
    View<float> view{list, 3};
    float total = 0;
    for (float x : view) total += x;
    out[threadIdx.x] = total + steps(view.begin()) * 16 + steps(list) * 32 + sum(begin, begin + 3);
}
