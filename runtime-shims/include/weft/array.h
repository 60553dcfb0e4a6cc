/* `array`, of `std` and of `cuda::std` (C++17 26.3.7), without iterators in reverse. */
__WEFT_STD_BEGIN

#ifdef __WEFT_STD_NAME
#define __WEFT_STD_ELEMENTS _M_elems
#else
#define __WEFT_STD_ELEMENTS __elems_
#endif

template <typename T, size_t n> struct array {
    typedef T value_type;
    typedef T &reference;
    typedef const T &const_reference;
    typedef T *pointer;
    typedef const T *const_pointer;
    typedef T *iterator;
    typedef const T *const_iterator;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;

    T __WEFT_STD_ELEMENTS[n];

    __WEFT_STD_FUNCTION_20 void fill(const T &x)
    {
        for (size_t i = 0; i < n; i++)
            __WEFT_STD_ELEMENTS[i] = x;
    }
    __WEFT_STD_FUNCTION_20 void swap(array &other)
    {
        __weft_swap(__WEFT_STD_ELEMENTS, other.__WEFT_STD_ELEMENTS);
    }
    __WEFT_STD_FUNCTION T *begin() noexcept { return __WEFT_STD_ELEMENTS; }
    __WEFT_STD_FUNCTION const T *begin() const noexcept { return __WEFT_STD_ELEMENTS; }
    __WEFT_STD_FUNCTION const T *cbegin() const noexcept { return __WEFT_STD_ELEMENTS; }
    __WEFT_STD_FUNCTION T *end() noexcept { return __WEFT_STD_ELEMENTS + n; }
    __WEFT_STD_FUNCTION const T *end() const noexcept { return __WEFT_STD_ELEMENTS + n; }
    __WEFT_STD_FUNCTION const T *cend() const noexcept { return __WEFT_STD_ELEMENTS + n; }
    __WEFT_STD_FUNCTION size_t size() const noexcept { return n; }
    __WEFT_STD_FUNCTION size_t max_size() const noexcept { return n; }
    __WEFT_STD_FUNCTION bool empty() const noexcept { return false; }
    __WEFT_STD_FUNCTION T &operator[](size_t i) noexcept { return __WEFT_STD_ELEMENTS[i]; }
    __WEFT_STD_FUNCTION const T &operator[](size_t i) const noexcept { return __WEFT_STD_ELEMENTS[i]; }
    __WEFT_STD_FUNCTION T &front() noexcept { return __WEFT_STD_ELEMENTS[0]; }
    __WEFT_STD_FUNCTION const T &front() const noexcept { return __WEFT_STD_ELEMENTS[0]; }
    __WEFT_STD_FUNCTION T &back() noexcept { return __WEFT_STD_ELEMENTS[n - 1]; }
    __WEFT_STD_FUNCTION const T &back() const noexcept { return __WEFT_STD_ELEMENTS[n - 1]; }
    __WEFT_STD_FUNCTION T *data() noexcept { return __WEFT_STD_ELEMENTS; }
    __WEFT_STD_FUNCTION const T *data() const noexcept { return __WEFT_STD_ELEMENTS; }
};

/* An array without elements has members that are not supported. */
template <typename T> struct array<T, 0>;

template <typename T, size_t n> __WEFT_STD_FUNCTION_20 bool operator==(const array<T, n> &a, const array<T, n> &b)
{
    for (size_t i = 0; i < n; i++)
        if (!(a.__WEFT_STD_ELEMENTS[i] == b.__WEFT_STD_ELEMENTS[i]))
            return false;
    return true;
}
template <typename T, size_t n> __WEFT_STD_FUNCTION_20 bool operator<(const array<T, n> &a, const array<T, n> &b)
{
    for (size_t i = 0; i < n; i++) {
        if (a.__WEFT_STD_ELEMENTS[i] < b.__WEFT_STD_ELEMENTS[i])
            return true;
        if (b.__WEFT_STD_ELEMENTS[i] < a.__WEFT_STD_ELEMENTS[i])
            return false;
    }
    return false;
}
template <typename T, size_t n> __WEFT_STD_FUNCTION_20 bool operator!=(const array<T, n> &a, const array<T, n> &b) { return !(a == b); }
template <typename T, size_t n> __WEFT_STD_FUNCTION_20 bool operator>(const array<T, n> &a, const array<T, n> &b) { return b < a; }
template <typename T, size_t n> __WEFT_STD_FUNCTION_20 bool operator<=(const array<T, n> &a, const array<T, n> &b) { return !(b < a); }
template <typename T, size_t n> __WEFT_STD_FUNCTION_20 bool operator>=(const array<T, n> &a, const array<T, n> &b) { return !(a < b); }
template <typename T, size_t n> __WEFT_STD_FUNCTION_20 void swap(array<T, n> &a, array<T, n> &b) { a.swap(b); }

template <typename T, size_t n> struct tuple_size<array<T, n>> : integral_constant<size_t, n> {};
template <size_t i, typename T, size_t n> struct tuple_element<i, array<T, n>> : enable_if<(i < n), T> {};
template <size_t i, typename T, size_t n> __WEFT_STD_FUNCTION T &get(array<T, n> &a) noexcept
{
    static_assert(i < n, "the index is beyond the array");
    return a.__WEFT_STD_ELEMENTS[i];
}
template <size_t i, typename T, size_t n> __WEFT_STD_FUNCTION const T &get(const array<T, n> &a) noexcept
{
    static_assert(i < n, "the index is beyond the array");
    return a.__WEFT_STD_ELEMENTS[i];
}
template <size_t i, typename T, size_t n> __WEFT_STD_FUNCTION T &&get(array<T, n> &&a) noexcept
{
    static_assert(i < n, "the index is beyond the array");
    return static_cast<T &&>(a.__WEFT_STD_ELEMENTS[i]);
}

#undef __WEFT_STD_ELEMENTS
__WEFT_STD_END
