// Where packs are expanded: lists, loops, results, default arguments, cases, members of folds.
template <class... T> __device__ int va(T... a) { int r = 0; for (int x : {a...}) r += x; return r; }
template <class... T> __device__ int cond(T... a) { return sizeof...(a) > 2 ? (a + ...) : (a * ...); }
template <class... T> __device__ int ret(T... a) { return {(a + ... + 0)}; }
struct V { int x, y, z; };
template <class... T> __device__ V mk(T... a) { return {a...}; }
template <class... T> __device__ V mk2(T... a) { V v = {(a, 1)..., }; return v; }
template <class... T> __device__ int def(int n = 3, T... a) { return n + (a + ... + 0); }
template <class... T> __device__ int cst(const T... a) { return (a + ...); }
template <class T, class... U> __device__ auto conv(U... a) { T v[] = {static_cast<T>(a)...}; return v[0] + v[sizeof...(U) - 1]; }
template <class... T> __device__ int alls(T... a) { static_assert((sizeof(T) + ...) > 3, "small"); return (sizeof(a) + ...); }
template <class F, class... T> __device__ int apply(F f, T... a) { return f((a + 1)..., 10); }
__device__ int f3(int a, int b, int c) { return a * 100 + b * 10 + c; }
template <bool... B> __device__ int allb() { if constexpr ((B && ...)) return 1; else return 2; }
template <class... T> __device__ int inner(T... a) { struct L { int x; } l = {(a + ...)}; return l.x; }
template <class... T> __device__ int sw(T... a) { int n = 0; ((a > 2 ? n++ : n--), ...); (n += ... += a); return n; }
template <class... T> __device__ unsigned hash(T... a) { unsigned h = 5381; ((h = h * 33 ^ (unsigned)a), ...); return h; }
template <int I, class T, class... R> __device__ auto get(T a, R... r) { if constexpr (I == 0) return a; else return get<I - 1>(r...); }
template <class... T> __device__ int tern(bool c, T... a) { return ((c ? a : -a), ...); }
template <class... T> __device__ int ndec(T... a) { return ((decltype(a))2 + ...); }
template <class... T> __device__ int neg(T... a) { return (-a + ...) + (!a + ...) + (~a + ...); }
template <class... T> __device__ int idx(int *p, T... i) { return (p[i] + ...); }
template <int... I> __device__ int idx2(int *p) { return f3(p[I]...); }
template <class... T, int N> __device__ int after(int (&x)[N], T... a) { return N + sizeof...(T); }

extern "C" __global__ void test(int *out)
{
    int p[3] = {1, 2, 3};
    out[0] = cond(1, 2, 3) * 100 + cond(4, 5);
    out[1] = ret(1, 2) * 10 + mk(1, 2, 3).z;
    out[2] = def() * 100 + def(1) * 10 + def(1, 2, 3);
    out[3] = cst(1, 2) + (int)conv<short>(1, 2.0f);
    out[4] = alls(1, 2.0);
    out[5] = apply(f3, 1, 2) + allb<true, false>() + allb<>();
    out[6] = inner(1, 2) + sw(1, 3, 5) * 10;
    out[7] = (int)hash(1, 2, 'c');
    out[8] = get<1>(1, 7, 3) * 10 + (int)get<2>(1, 2.0f, 5.5);
    out[9] = tern(true, 1, 2) + ndec(1, 2.0f) + neg(1, 2);
    out[10] = idx(p, 0, 2) + idx2<2, 1, 0>(p);
    out[11] = after(p, 1, 2.0f) + mk2(1, 2, 3).z;
}
