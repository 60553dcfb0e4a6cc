//@ launch: test grid=1 block=1
//@ arg: out=i32[16]=fill(3)
// In a generic lambda expression, the name of the class around it takes template arguments, and so do its member templates.
template <typename T, int N> struct C {
    T s;
    __device__ unsigned get() const {
        return [&](auto x) { return C<T, N>{T(x)}.s + C<int, 3>{x}.s + sizeof(C) + s; }(s);
    }
    static __device__ C make(T x) {
        return [](auto y) -> C<T, N> { return C<T, N>{y}; }(x);
    }
    __device__ unsigned outside();
};
template <typename T> struct C<T, 3> {
    T s;
    __device__ unsigned get() const {
        return [&](auto x) {
            return [&](auto y) { C<T, 3> c{s}; C<T, 4> d{T(y)}; C e{x}; return c.s + 2 * d.s + 3 * e.s; }(x);
        }(s);
    }
};
template <typename T, int N> __device__ unsigned C<T, N>::outside() {
    auto f = [*this](auto y) { return C<T, N>{T(y)}.s + C<short, 7>{short(y)}.s + s; };
    return f(3) + f(4u);
}
template <> struct C<char, 5> {
    char s;
    __device__ unsigned get() const { return [&](auto &&x) { return unsigned(sizeof(C<char, 5>)) + x; }(s); }
};

template <typename T> struct B {
    T t;
    __device__ unsigned get() { return [this](auto x) { B<T> o{*this}; B &r = *this; return o.t + r.t + x; }(3u); }
};
struct D : B<int> {
    __device__ unsigned get() { return [this](auto x) { B<long> o{3}; B &r = *this; return o.t + r.t + x; }(4u); }
};

template <typename T> struct M {
    T s;
    template <typename U> struct In { U u; };
    template <typename U> using A = M<U>;
    template <typename U> static constexpr unsigned size = sizeof(U);
    template <typename U> __device__ U next(U x) const { return x + 1; }
    template <int K> static __device__ int constant() { return K; }
    __device__ unsigned get() const {
        return [&](auto x) {
            In<decltype(x)> i{x};
            A<char> a{2};
            typename M<int>::template In<long> j{5};
            return i.u + a.s + j.u + next<unsigned>(x) + constant<4>() + M::template constant<2>() + size<long>;
        }(s);
    }
};

extern "C" __global__ void test(int *out) {
    C<int, 2> c{4};
    C<long, 3> d{5};
    C<char, 5> e{6};
    B<int> b{7};
    D f;
    f.t = 8;
    M<int> m{9};
    out[0] = c.get(), out[1] = C<int, 2>::make(10).s, out[2] = c.outside(), out[3] = d.get(), out[4] = e.get();
    out[5] = b.get(), out[6] = f.get(), out[7] = m.get();
}
