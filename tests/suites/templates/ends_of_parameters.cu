// Default arguments whose last token closes the parameters, too; packs handed on by aliases.
template <typename T> struct R { typedef T type; };
template <typename T> using RT = typename R<T>::type;
template <typename T, typename U = RT<T>> __device__ int f(T a) { return sizeof(U); }
struct S { template <typename T, typename U = RT<T>> __device__ static int g(T a) { return sizeof(U); } 
 template <typename T, typename = RT<T>> __device__ static int h(T a) { return 1; } };
template <typename V> struct S2 { template <typename T, typename U = RT<T>> __device__ static int g(T a) { return sizeof(U); } };
template <typename T, typename U = R<RT<T>>> __device__ int ff(T a) { return sizeof(U); }
template <typename T, int n = (3 >> 1), typename = R<R<RT<T>>>> __device__ int f3(T a) { return n; }
template <typename T, T... v> struct sequence { static constexpr int n = sizeof...(v); };
template <unsigned long... v> using indices = sequence<unsigned long, v...>;
template <unsigned long... i> __device__ int sum(indices<i...>) { return (i + ... + 0); }
template <unsigned long first, unsigned long... rest> __device__ int first_of(indices<first, rest...>) { return first + sizeof...(rest); }
template <typename... T> struct list { };
template <typename... T> using list_of = list<T...>;
template <typename... T> __device__ int length(list_of<T...>) { return sizeof...(T); }
__global__ void test(float *out)
{
    out[0] = f(2.), out[1] = S::g(2.), out[2] = S::h(2.), out[3] = S2<int>::g(2), out[4] = ff(2.) + f3(1);
    out[5] = sum(sequence<unsigned long, 1, 2>()), out[6] = length(list<int, float>()), out[7] = first_of(indices<5, 6, 7>());
}
