// An instance of another template is no friend.
// clang: 9:61
template <class T> class Vec {
    T x;
    template <class U> friend class Vec;
};
template <class T> struct Other {
    T t;
    __device__ int read(const Vec<int> &v) const { return v.x + t; }
};
__device__ int f(Other<int> o, const Vec<int> &v) { return o.read(v); }
