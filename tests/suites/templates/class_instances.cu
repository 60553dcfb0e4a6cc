// Instances of class templates: members, member functions in the class and outside, the name of the class in it.
template <typename T, int N> struct S {
    T v[N];
    typedef T type;
    static constexpr int size = N;
    __device__ T get(int i) const { return v[i]; }
    __device__ void set(int i, T x) { v[i] = x; }
    __device__ S *self() { return this; }
    __device__ static T two(S a, S *b) { return a.v[0] + b->v[1]; }
    __device__ T unused() { return undefined_name; }
};
template <typename T> struct P { T a; __device__ T get() const; __device__ P<T *> ptr() { return P<T *>{&a}; } };
template <typename T> __device__ T P<T>::get() const { return a; }
extern "C" __global__ void test(int *out)
{
    S<int, 4> s;
    s.set(0, 5);
    s.set(1, 6);
    S<S<int, 4>, 2> ss;
    ss.v[1] = s;
    S<int, 4>::type t = 3;
    out[0] = s.get(1) + S<int, 4>::size;
    out[1] = S<int, 4>::two(s, &s) + s.self()->get(0);
    out[2] = ss.get(1).get(0) + t;
    P<int> p{3};
    out[3] = p.get() + *p.ptr().get();
    out[4] = sizeof(S<char, 3>);
}
