/* Tuples, of `std` and of `cuda::std` (C++17 23.5), of up to 8 elements. Empty classes as elements would share places, which is not supported. */
__WEFT_STD_BEGIN

template <typename T, bool is_empty_class = is_empty<T>::value> struct __weft_element;
template <typename T> struct __weft_element<T, false> { typedef T type; };
/* A reference, through which is assigned. */
template <typename T> struct __weft_referring {
    T &object;
    __WEFT_STD_FUNCTION __weft_referring(T &to) : object(to) {}
    __WEFT_STD_FUNCTION __weft_referring(T &&to) : object(to) {}
    __weft_referring(const __weft_referring &) = default;
    __WEFT_STD_FUNCTION __weft_referring &operator=(const __weft_referring &other)
    {
        object = other.object;
        return *this;
    }
};
template <typename T> struct __weft_element<T &, false> { typedef __weft_referring<T> type; };
template <typename T> struct __weft_element<T &&, false> { typedef __weft_referring<T> type; };

template <typename... Ts> struct __weft_elements;
template <typename T0> struct __weft_elements<T0> {
    typename __weft_element<T0>::type _0;
};
template <typename T0, typename T1> struct __weft_elements<T0, T1> {
    typename __weft_element<T0>::type _0;
    typename __weft_element<T1>::type _1;
};
template <typename T0, typename T1, typename T2> struct __weft_elements<T0, T1, T2> {
    typename __weft_element<T0>::type _0;
    typename __weft_element<T1>::type _1;
    typename __weft_element<T2>::type _2;
};
template <typename T0, typename T1, typename T2, typename T3> struct __weft_elements<T0, T1, T2, T3> {
    typename __weft_element<T0>::type _0;
    typename __weft_element<T1>::type _1;
    typename __weft_element<T2>::type _2;
    typename __weft_element<T3>::type _3;
};
template <typename T0, typename T1, typename T2, typename T3, typename T4> struct __weft_elements<T0, T1, T2, T3, T4> {
    typename __weft_element<T0>::type _0;
    typename __weft_element<T1>::type _1;
    typename __weft_element<T2>::type _2;
    typename __weft_element<T3>::type _3;
    typename __weft_element<T4>::type _4;
};
template <typename T0, typename T1, typename T2, typename T3, typename T4, typename T5> struct __weft_elements<T0, T1, T2, T3, T4, T5> {
    typename __weft_element<T0>::type _0;
    typename __weft_element<T1>::type _1;
    typename __weft_element<T2>::type _2;
    typename __weft_element<T3>::type _3;
    typename __weft_element<T4>::type _4;
    typename __weft_element<T5>::type _5;
};
template <typename T0, typename T1, typename T2, typename T3, typename T4, typename T5, typename T6> struct __weft_elements<T0, T1, T2, T3, T4, T5, T6> {
    typename __weft_element<T0>::type _0;
    typename __weft_element<T1>::type _1;
    typename __weft_element<T2>::type _2;
    typename __weft_element<T3>::type _3;
    typename __weft_element<T4>::type _4;
    typename __weft_element<T5>::type _5;
    typename __weft_element<T6>::type _6;
};
template <typename T0, typename T1, typename T2, typename T3, typename T4, typename T5, typename T6, typename T7> struct __weft_elements<T0, T1, T2, T3, T4, T5, T6, T7> {
    typename __weft_element<T0>::type _0;
    typename __weft_element<T1>::type _1;
    typename __weft_element<T2>::type _2;
    typename __weft_element<T3>::type _3;
    typename __weft_element<T4>::type _4;
    typename __weft_element<T5>::type _5;
    typename __weft_element<T6>::type _6;
    typename __weft_element<T7>::type _7;
};

template <typename... Ts> struct tuple;
template <typename... Ts> struct tuple_size<tuple<Ts...>> : integral_constant<size_t, sizeof...(Ts)> {};
template <typename T, typename... Ts> struct tuple_element<0, tuple<T, Ts...>> { typedef T type; };
template <size_t i, typename T, typename... Ts> struct tuple_element<i, tuple<T, Ts...>> : tuple_element<i - 1, tuple<Ts...>> {};

/* Which place in memory an element has. */
__WEFT_STD_FUNCTION constexpr size_t __weft_place(size_t i, size_t n)
{
#ifdef __WEFT_STD_NAME
    return n - 1 - i;
#else
    return i;
#endif
}
template <typename Indices, typename... Ts> struct __weft_placed;
template <size_t... i, typename... Ts> struct __weft_placed<index_sequence<i...>, Ts...> {
    typedef __weft_elements<tuple_element_t<__weft_place(i, sizeof...(Ts)), tuple<Ts...>>...> type;
};

template <typename T> __WEFT_STD_FUNCTION T &__weft_object(T &element) { return element; }
template <typename T> __WEFT_STD_FUNCTION T &__weft_object(__weft_referring<T> &element) { return element.object; }
template <typename T> __WEFT_STD_FUNCTION T &__weft_object(const __weft_referring<T> &element) { return element.object; }
/* The object that an element is or refers to. */
template <size_t i, typename Elements> __WEFT_STD_FUNCTION auto &__weft_get(Elements &elements)
{
    if constexpr (i == 0)
        return __weft_object(elements._0);
    else if constexpr (i == 1)
        return __weft_object(elements._1);
    else if constexpr (i == 2)
        return __weft_object(elements._2);
    else if constexpr (i == 3)
        return __weft_object(elements._3);
    else if constexpr (i == 4)
        return __weft_object(elements._4);
    else if constexpr (i == 5)
        return __weft_object(elements._5);
    else if constexpr (i == 6)
        return __weft_object(elements._6);
    else if constexpr (i == 7)
        return __weft_object(elements._7);
}
template <size_t i, typename... Ts> __WEFT_STD_FUNCTION tuple_element_t<i, tuple<Ts...>> &get(tuple<Ts...> &t) noexcept
{
    return __weft_get<__weft_place(i, sizeof...(Ts))>(t.__base_);
}
template <size_t i, typename... Ts> __WEFT_STD_FUNCTION const tuple_element_t<i, tuple<Ts...>> &get(const tuple<Ts...> &t) noexcept
{
    return __weft_get<__weft_place(i, sizeof...(Ts))>(t.__base_);
}
template <size_t i, typename... Ts> __WEFT_STD_FUNCTION tuple_element_t<i, tuple<Ts...>> &&get(tuple<Ts...> &&t) noexcept
{
    return static_cast<tuple_element_t<i, tuple<Ts...>> &&>(get<i>(t));
}

/* The value with the index. */
template <size_t i, typename T, typename... Ts> __WEFT_STD_FUNCTION decltype(auto) __weft_select(T &&first, Ts &&...rest) noexcept
{
    if constexpr (i == 0)
        return static_cast<T &&>(first);
    else
        return __weft_select<i - 1>(static_cast<Ts &&>(rest)...);
}

struct __weft_from_values {};
struct __weft_from_tuple {};

template <typename... Ts> struct tuple {
    typename __weft_placed<index_sequence_for<Ts...>, Ts...>::type __base_;

    __WEFT_STD_FUNCTION tuple() : __base_() {}
    tuple(const tuple &) = default;
#ifdef __WEFT_STD_NAME
    __WEFT_STD_FUNCTION tuple(tuple &&other) : tuple(__weft_from_tuple(), static_cast<tuple &&>(other), index_sequence_for<Ts...>()) {}
#else
    tuple(tuple &&) = default;
#endif
    template <typename... Us, typename = enable_if_t<sizeof...(Us) == sizeof...(Ts)>,
              typename = void_t<__weft_converts<Us, Ts>...>>
    __WEFT_STD_FUNCTION tuple(Us &&...values) : tuple(__weft_from_values(), index_sequence_for<Ts...>(), static_cast<Us &&>(values)...) {}
    template <typename... Us, typename = enable_if_t<sizeof...(Us) == sizeof...(Ts)>,
              typename = void_t<__weft_converts<const Us &, Ts>...>>
    __WEFT_STD_FUNCTION tuple(const tuple<Us...> &other) : tuple(__weft_from_tuple(), other, index_sequence_for<Ts...>()) {}
    template <typename... Us, typename = enable_if_t<sizeof...(Us) == sizeof...(Ts)>,
              typename = void_t<__weft_converts<Us, Ts>...>>
    __WEFT_STD_FUNCTION tuple(tuple<Us...> &&other)
        : tuple(__weft_from_tuple(), static_cast<tuple<Us...> &&>(other), index_sequence_for<Ts...>()) {}
    template <typename U1, typename U2, typename = enable_if_t<sizeof...(Ts) == 2 && sizeof(pair<U1, U2>) != 0>>
    __WEFT_STD_FUNCTION tuple(const pair<U1, U2> &other) : tuple(__weft_from_tuple(), other, index_sequence_for<Ts...>()) {}
    template <typename U1, typename U2, typename = enable_if_t<sizeof...(Ts) == 2 && sizeof(pair<U1, U2>) != 0>>
    __WEFT_STD_FUNCTION tuple(pair<U1, U2> &&other)
        : tuple(__weft_from_tuple(), static_cast<pair<U1, U2> &&>(other), index_sequence_for<Ts...>()) {}
    template <typename Other, size_t... i>
    __WEFT_STD_FUNCTION tuple(__weft_from_tuple, Other &&other, index_sequence<i...> all)
        : tuple(__weft_from_values(), all, get<i>(static_cast<Other &&>(other))...) {}
    template <size_t... i, typename... Us>
    __WEFT_STD_FUNCTION tuple(__weft_from_values, index_sequence<i...>, Us &&...values)
        : __base_{static_cast<tuple_element_t<__weft_place(i, sizeof...(i)), tuple>>(
              __weft_select<__weft_place(i, sizeof...(i))>(static_cast<Us &&>(values)...))...} {}

#ifdef __WEFT_STD_NAME
    __WEFT_STD_FUNCTION_20 tuple &operator=(const tuple &other)
    {
        __weft_assign(other, index_sequence_for<Ts...>());
        return *this;
    }
#else
    tuple &operator=(const tuple &) = default;
#endif
    template <typename... Us> __WEFT_STD_FUNCTION_20 tuple &operator=(const tuple<Us...> &other)
    {
        __weft_assign(other, index_sequence_for<Ts...>());
        return *this;
    }
    template <typename U1, typename U2> __WEFT_STD_FUNCTION_20 tuple &operator=(const pair<U1, U2> &other)
    {
        __weft_assign(other, index_sequence_for<Ts...>());
        return *this;
    }
    template <typename Other, size_t... i> __WEFT_STD_FUNCTION_20 void __weft_assign(const Other &other, index_sequence<i...>)
    {
        ((void)(get<i>(*this) = get<i>(other)), ...);
    }
    __WEFT_STD_FUNCTION_20 void swap(tuple &other) { __weft_swap_all(other, index_sequence_for<Ts...>()); }
    template <size_t... i> __WEFT_STD_FUNCTION_20 void __weft_swap_all(tuple &other, index_sequence<i...>)
    {
        (__weft_swap(get<i>(*this), get<i>(other)), ...);
    }
};

template <> struct tuple<> {};

template <typename... Ts> __WEFT_STD_FUNCTION tuple<decay_t<Ts>...> make_tuple(Ts &&...values)
{
    return tuple<decay_t<Ts>...>(static_cast<Ts &&>(values)...);
}
template <typename... Ts> __WEFT_STD_FUNCTION tuple<Ts &...> tie(Ts &...values) noexcept { return tuple<Ts &...>(values...); }

template <typename F, typename Tuple, size_t... i> __WEFT_STD_FUNCTION decltype(auto) __weft_apply(F &&f, Tuple &&t, index_sequence<i...>)
{
    return static_cast<F &&>(f)(get<i>(static_cast<Tuple &&>(t))...);
}
template <typename F, typename Tuple> __WEFT_STD_FUNCTION decltype(auto) apply(F &&f, Tuple &&t)
{
    return __weft_apply(static_cast<F &&>(f), static_cast<Tuple &&>(t), make_index_sequence<tuple_size<remove_reference_t<Tuple>>::value>());
}

template <typename... Ts> __WEFT_STD_FUNCTION tuple<Ts &&...> forward_as_tuple(Ts &&...values) noexcept
{
    return tuple<Ts &&...>(static_cast<Ts &&>(values)...);
}
template <typename... Ts> __WEFT_STD_FUNCTION_20 void swap(tuple<Ts...> &a, tuple<Ts...> &b) { a.swap(b); }

/* The index of the type, which must be there once. */
template <typename T, typename... Ts> __WEFT_STD_FUNCTION size_t __weft_index_of()
{
    static_assert(((is_same<T, Ts>::value ? 1 : 0) + ... + 0) == 1, "the tuple has no element of the type, or several");
    bool is_it[] = {is_same<T, Ts>::value...};
    size_t i = 0;
    while (!is_it[i])
        i++;
    return i;
}
template <typename T, typename... Ts> __WEFT_STD_FUNCTION T &get(tuple<Ts...> &t) noexcept { return get<__weft_index_of<T, Ts...>()>(t); }
template <typename T, typename... Ts> __WEFT_STD_FUNCTION const T &get(const tuple<Ts...> &t) noexcept
{
    return get<__weft_index_of<T, Ts...>()>(t);
}
template <typename T, typename... Ts> __WEFT_STD_FUNCTION T &&get(tuple<Ts...> &&t) noexcept
{
    return get<__weft_index_of<T, Ts...>()>(static_cast<tuple<Ts...> &&>(t));
}

template <typename... Tuples> struct __weft_joined_tuple;
template <> struct __weft_joined_tuple<> { typedef tuple<> type; };
template <typename... Ts> struct __weft_joined_tuple<tuple<Ts...>> { typedef tuple<Ts...> type; };
template <typename... Ts, typename... Us, typename... Tuples> struct __weft_joined_tuple<tuple<Ts...>, tuple<Us...>, Tuples...> {
    typedef typename __weft_joined_tuple<tuple<Ts..., Us...>, Tuples...>::type type;
};
template <typename A, typename B, size_t... i, size_t... j>
__WEFT_STD_FUNCTION auto __weft_join(A &&a, B &&b, index_sequence<i...>, index_sequence<j...>)
{
    typedef typename __weft_joined_tuple<decay_t<A>, decay_t<B>>::type both;
    return both(get<i>(static_cast<A &&>(a))..., get<j>(static_cast<B &&>(b))...);
}
__WEFT_STD_FUNCTION tuple<> tuple_cat() { return tuple<>(); }
template <typename A> __WEFT_STD_FUNCTION decay_t<A> tuple_cat(A &&a) { return static_cast<A &&>(a); }
template <typename A, typename B, typename... Tuples>
__WEFT_STD_FUNCTION typename __weft_joined_tuple<decay_t<A>, decay_t<B>, decay_t<Tuples>...>::type tuple_cat(A &&a, B &&b, Tuples &&...others)
{
    return tuple_cat(__weft_join(static_cast<A &&>(a), static_cast<B &&>(b), make_index_sequence<tuple_size<decay_t<A>>::value>(),
                                 make_index_sequence<tuple_size<decay_t<B>>::value>()),
                     static_cast<Tuples &&>(others)...);
}

template <typename T, typename Tuple, size_t... i> __WEFT_STD_FUNCTION T __weft_made_from(Tuple &&t, index_sequence<i...>)
{
    return T(get<i>(static_cast<Tuple &&>(t))...);
}
template <typename T, typename Tuple> __WEFT_STD_FUNCTION T make_from_tuple(Tuple &&t)
{
    return __weft_made_from<T>(static_cast<Tuple &&>(t), make_index_sequence<tuple_size<remove_reference_t<Tuple>>::value>());
}

template <size_t i, typename A, typename B> __WEFT_STD_FUNCTION bool __weft_are_equal(const A &a, const B &b)
{
    if constexpr (i == tuple_size<A>::value)
        return true;
    else
        return get<i>(a) == get<i>(b) && __weft_are_equal<i + 1>(a, b);
}
template <size_t i, typename A, typename B> __WEFT_STD_FUNCTION bool __weft_is_less(const A &a, const B &b)
{
    if constexpr (i == tuple_size<A>::value)
        return false;
    else
        return get<i>(a) < get<i>(b) || !(get<i>(b) < get<i>(a)) && __weft_is_less<i + 1>(a, b);
}
template <typename... Ts, typename... Us> __WEFT_STD_FUNCTION bool operator==(const tuple<Ts...> &a, const tuple<Us...> &b)
{
    static_assert(sizeof...(Ts) == sizeof...(Us), "the tuples differ in length");
    return __weft_are_equal<0>(a, b);
}
template <typename... Ts, typename... Us> __WEFT_STD_FUNCTION bool operator<(const tuple<Ts...> &a, const tuple<Us...> &b)
{
    static_assert(sizeof...(Ts) == sizeof...(Us), "the tuples differ in length");
    return __weft_is_less<0>(a, b);
}
template <typename... Ts, typename... Us> __WEFT_STD_FUNCTION bool operator!=(const tuple<Ts...> &a, const tuple<Us...> &b) { return !(a == b); }
template <typename... Ts, typename... Us> __WEFT_STD_FUNCTION bool operator>(const tuple<Ts...> &a, const tuple<Us...> &b) { return b < a; }
template <typename... Ts, typename... Us> __WEFT_STD_FUNCTION bool operator<=(const tuple<Ts...> &a, const tuple<Us...> &b) { return !(b < a); }
template <typename... Ts, typename... Us> __WEFT_STD_FUNCTION bool operator>=(const tuple<Ts...> &a, const tuple<Us...> &b) { return !(a < b); }

__WEFT_STD_END
