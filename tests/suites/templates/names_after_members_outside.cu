// The scopes of a member that is defined outside of its template end with its instance: what is declared next is of the file again.
template <typename T> struct Before {
    unsigned s;
    __device__ unsigned get() const;
};
template <typename T> __device__ unsigned Before<T>::get() const { return s + sizeof(T); }
__device__ unsigned use(unsigned x) {
    Before<short> before{x};
    return before.get();
}
namespace ns {
struct After { unsigned s; };
}
struct Global { unsigned s; };
__device__ unsigned qualified(unsigned x) { return ns::After{x}.s + ::Global{x}.s; }

extern "C" __global__ void test(int *out) {
    out[0] = use(out[0]) + 10 * qualified(out[1]);
}
