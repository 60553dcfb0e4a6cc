/* Pairs, sequences of integers, and functions for values, of `std` and of `cuda::std` (C++17 23.2 to 23.4). */
__WEFT_STD_BEGIN

template <typename T> __host__ __device__ typename add_rvalue_reference<T>::type declval() noexcept;

#ifndef __WEFT_STD_NAME
template <typename T> __WEFT_STD_FUNCTION typename remove_reference<T>::type &&move(T &&x) noexcept
{
    return static_cast<typename remove_reference<T>::type &&>(x);
}
template <typename T> __WEFT_STD_FUNCTION T &&forward(typename remove_reference<T>::type &x) noexcept { return static_cast<T &&>(x); }
template <typename T> __WEFT_STD_FUNCTION T &&forward(typename remove_reference<T>::type &&x) noexcept { return static_cast<T &&>(x); }
#endif

template <typename T> __WEFT_STD_FUNCTION_20 void swap(T &a, T &b)
{
    T old(static_cast<T &&>(a));
    a = static_cast<T &&>(b);
    b = static_cast<T &&>(old);
}
template <typename T, size_t n> __WEFT_STD_FUNCTION_20 void swap(T (&a)[n], T (&b)[n])
{
    for (size_t i = 0; i < n; i++)
        swap(a[i], b[i]);
}
/* Where a member hides the name. */
template <typename T> __WEFT_STD_FUNCTION_20 void __weft_swap(T &a, T &b) { swap(a, b); }
template <typename T, typename U = T> __WEFT_STD_FUNCTION_20 T exchange(T &object, U &&value)
{
    T old(static_cast<T &&>(object));
    object = static_cast<U &&>(value);
    return old;
}
template <typename T> __WEFT_STD_FUNCTION const T &as_const(T &x) noexcept { return x; }

template <typename T, T... values> struct integer_sequence {
    typedef T value_type;
    __WEFT_STD_FUNCTION static size_t size() noexcept { return sizeof...(values); }
};
template <size_t... values> using index_sequence = integer_sequence<size_t, values...>;

template <typename T, typename A, typename B> struct __weft_joined;
template <typename T, T... a, T... b> struct __weft_joined<T, integer_sequence<T, a...>, integer_sequence<T, b...>> {
    typedef integer_sequence<T, a..., T(sizeof...(a)) + b...> type;
};
/* Both halves are sequences from 0. */
template <typename T, size_t n> struct __weft_sequence {
    typedef typename __weft_joined<T, typename __weft_sequence<T, n / 2>::type, typename __weft_sequence<T, n - n / 2>::type>::type type;
};
template <typename T> struct __weft_sequence<T, 0> { typedef integer_sequence<T> type; };
template <typename T> struct __weft_sequence<T, 1> { typedef integer_sequence<T, T(0)> type; };
template <typename T, T n> using make_integer_sequence = typename __weft_sequence<T, size_t(n)>::type;
template <size_t n> using make_index_sequence = make_integer_sequence<size_t, n>;
template <typename... Ts> using index_sequence_for = make_index_sequence<sizeof...(Ts)>;

struct in_place_t { explicit in_place_t() = default; };
template <typename T> struct in_place_type_t { explicit in_place_type_t() = default; };
template <size_t n> struct in_place_index_t { explicit in_place_index_t() = default; };
struct piecewise_construct_t { explicit piecewise_construct_t() = default; };

/* Whether values of one type convert to another without a cast. */
template <typename T> struct __weft_parameter { __host__ __device__ static void take(T); };
template <typename From, typename To> using __weft_converts = decltype(__weft_parameter<To>::take(declval<From>()));

template <typename T1, typename T2> struct pair {
    typedef T1 first_type;
    typedef T2 second_type;
    T1 first;
    T2 second;

    __WEFT_STD_FUNCTION pair() : first(), second() {}
    pair(const pair &) = default;
    pair(pair &&) = default;
    __WEFT_STD_FUNCTION pair(const T1 &a, const T2 &b) : first(a), second(b) {}
    template <typename U1 = T1, typename U2 = T2, typename = __weft_converts<U1, T1>, typename = __weft_converts<U2, T2>>
    __WEFT_STD_FUNCTION pair(U1 &&a, U2 &&b) : first(static_cast<U1 &&>(a)), second(static_cast<U2 &&>(b)) {}
    template <typename U1, typename U2, typename = __weft_converts<const U1 &, T1>, typename = __weft_converts<const U2 &, T2>>
    __WEFT_STD_FUNCTION pair(const pair<U1, U2> &other) : first(other.first), second(other.second) {}
    template <typename U1, typename U2, typename = __weft_converts<U1, T1>, typename = __weft_converts<U2, T2>>
    __WEFT_STD_FUNCTION pair(pair<U1, U2> &&other)
        : first(static_cast<U1 &&>(other.first)), second(static_cast<U2 &&>(other.second)) {}
#ifdef __WEFT_STD_NAME
    __WEFT_STD_FUNCTION_20 pair &operator=(const pair &other)
    {
        first = other.first, second = other.second;
        return *this;
    }
    __WEFT_STD_FUNCTION_20 pair &operator=(pair &&other)
    {
        first = static_cast<T1 &&>(other.first), second = static_cast<T2 &&>(other.second);
        return *this;
    }
#else
    pair &operator=(const pair &) = default;
    pair &operator=(pair &&) = default;
#endif
    template <typename U1, typename U2> __WEFT_STD_FUNCTION_20 pair &operator=(const pair<U1, U2> &other)
    {
        first = other.first, second = other.second;
        return *this;
    }
    template <typename U1, typename U2> __WEFT_STD_FUNCTION_20 pair &operator=(pair<U1, U2> &&other)
    {
        first = static_cast<U1 &&>(other.first), second = static_cast<U2 &&>(other.second);
        return *this;
    }
    __WEFT_STD_FUNCTION_20 void swap(pair &other)
    {
        __weft_swap(first, other.first);
        __weft_swap(second, other.second);
    }
};

template <typename T1, typename T2> __WEFT_STD_FUNCTION bool operator==(const pair<T1, T2> &a, const pair<T1, T2> &b)
{
    return a.first == b.first && a.second == b.second;
}
template <typename T1, typename T2> __WEFT_STD_FUNCTION bool operator!=(const pair<T1, T2> &a, const pair<T1, T2> &b) { return !(a == b); }
template <typename T1, typename T2> __WEFT_STD_FUNCTION bool operator<(const pair<T1, T2> &a, const pair<T1, T2> &b)
{
    return a.first < b.first || !(b.first < a.first) && a.second < b.second;
}
template <typename T1, typename T2> __WEFT_STD_FUNCTION bool operator>(const pair<T1, T2> &a, const pair<T1, T2> &b) { return b < a; }
template <typename T1, typename T2> __WEFT_STD_FUNCTION bool operator<=(const pair<T1, T2> &a, const pair<T1, T2> &b) { return !(b < a); }
template <typename T1, typename T2> __WEFT_STD_FUNCTION bool operator>=(const pair<T1, T2> &a, const pair<T1, T2> &b) { return !(a < b); }

template <typename T1, typename T2> __WEFT_STD_FUNCTION pair<decay_t<T1>, decay_t<T2>> make_pair(T1 &&a, T2 &&b)
{
    return pair<decay_t<T1>, decay_t<T2>>(static_cast<T1 &&>(a), static_cast<T2 &&>(b));
}
template <typename T1, typename T2> __WEFT_STD_FUNCTION_20 void swap(pair<T1, T2> &a, pair<T1, T2> &b) { a.swap(b); }

template <typename T> struct tuple_size;
template <typename T> struct tuple_size<const T> : integral_constant<size_t, tuple_size<T>::value> {};
template <typename T> constexpr size_t tuple_size_v = tuple_size<T>::value;
template <size_t n, typename T> struct tuple_element;
template <size_t n, typename T> struct tuple_element<n, const T> { typedef const typename tuple_element<n, T>::type type; };
template <size_t n, typename T> using tuple_element_t = typename tuple_element<n, T>::type;

template <typename T1, typename T2> struct tuple_size<pair<T1, T2>> : integral_constant<size_t, 2> {};
template <typename T1, typename T2> struct tuple_element<0, pair<T1, T2>> { typedef T1 type; };
template <typename T1, typename T2> struct tuple_element<1, pair<T1, T2>> { typedef T2 type; };

template <size_t n, typename T1, typename T2> __WEFT_STD_FUNCTION tuple_element_t<n, pair<T1, T2>> &get(pair<T1, T2> &p) noexcept
{
    if constexpr (n == 0)
        return p.first;
    else
        return p.second;
}
template <size_t n, typename T1, typename T2>
__WEFT_STD_FUNCTION const tuple_element_t<n, pair<T1, T2>> &get(const pair<T1, T2> &p) noexcept
{
    if constexpr (n == 0)
        return p.first;
    else
        return p.second;
}
template <size_t n, typename T1, typename T2> __WEFT_STD_FUNCTION tuple_element_t<n, pair<T1, T2>> &&get(pair<T1, T2> &&p) noexcept
{
    return static_cast<tuple_element_t<n, pair<T1, T2>> &&>(get<n>(p));
}

__WEFT_STD_END
