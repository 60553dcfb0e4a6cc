// A member type does not say of which struct it is.
// clang: 5:29
struct S { typedef int type; };
template <class T> __device__ int of_member(typename T::type a) { return a; }
__device__ int f() { return of_member(3); }
