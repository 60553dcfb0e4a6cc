/* Algorithms for a few values, of `std` and of `cuda::std` (C++17 28.7.7 and 28.7.8). */
__WEFT_STD_BEGIN

#ifndef __WEFT_STD_NAME
template <typename T> __WEFT_STD_FUNCTION const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <typename T> __WEFT_STD_FUNCTION const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <typename T, typename Less> __WEFT_STD_FUNCTION const T &min(const T &a, const T &b, Less less) { return less(b, a) ? b : a; }
template <typename T, typename Less> __WEFT_STD_FUNCTION const T &max(const T &a, const T &b, Less less) { return less(a, b) ? b : a; }
#endif
template <typename T> __WEFT_STD_FUNCTION const T &clamp(const T &x, const T &low, const T &high)
{
    return x < low ? low : high < x ? high : x;
}
template <typename T, typename Less> __WEFT_STD_FUNCTION const T &clamp(const T &x, const T &low, const T &high, Less less)
{
    return less(x, low) ? low : less(high, x) ? high : x;
}

__WEFT_STD_END
