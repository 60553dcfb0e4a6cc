/* `numeric_limits`, of `std` and of `cuda::std` (C++17 21.3). */
__WEFT_STD_BEGIN

enum float_round_style {
    round_indeterminate = -1,
    round_toward_zero = 0,
    round_to_nearest = 1,
    round_toward_infinity = 2,
    round_toward_neg_infinity = 3
};
enum float_denorm_style { denorm_indeterminate = -1, denorm_absent = 0, denorm_present = 1 };

/* What is the same for most types, and all for those that are no numbers. */
struct __weft_no_limits {
    static constexpr bool is_specialized = false, is_signed = false, is_integer = false, is_exact = false;
    static constexpr int digits = 0, digits10 = 0, max_digits10 = 0, radix = 0;
    static constexpr int min_exponent = 0, min_exponent10 = 0, max_exponent = 0, max_exponent10 = 0;
    static constexpr bool has_infinity = false, has_quiet_NaN = false, has_signaling_NaN = false, has_denorm_loss = false;
    static constexpr float_denorm_style has_denorm = denorm_absent;
    static constexpr bool is_iec559 = false, is_bounded = false, is_modulo = false, traps = false, tinyness_before = false;
    static constexpr float_round_style round_style = round_toward_zero;
};

template <typename T> struct __weft_no_values {
    __WEFT_STD_FUNCTION static T epsilon() noexcept { return T(); }
    __WEFT_STD_FUNCTION static T round_error() noexcept { return T(); }
    __WEFT_STD_FUNCTION static T infinity() noexcept { return T(); }
    __WEFT_STD_FUNCTION static T quiet_NaN() noexcept { return T(); }
    __WEFT_STD_FUNCTION static T signaling_NaN() noexcept { return T(); }
    __WEFT_STD_FUNCTION static T denorm_min() noexcept { return T(); }
};

template <typename T> struct numeric_limits : __weft_no_limits, __weft_no_values<T> {
    __WEFT_STD_FUNCTION static T min() noexcept { return T(); }
    __WEFT_STD_FUNCTION static T max() noexcept { return T(); }
    __WEFT_STD_FUNCTION static T lowest() noexcept { return T(); }
};

/* The largest is computed without a number of more bits. */
template <typename T> struct __weft_integer_limits : __weft_no_limits, __weft_no_values<T> {
    static constexpr bool is_specialized = true, is_integer = true, is_exact = true, is_bounded = true, traps = true;
    static constexpr bool is_signed = T(-1) < T(0), is_modulo = !is_signed;
    static constexpr int digits = sizeof(T) * 8 - is_signed, radix = 2;
    /* 643 / 2136 approximates log10(2) from below. */
    static constexpr int digits10 = digits * 643L / 2136;
    __WEFT_STD_FUNCTION static T max() noexcept { return T((((T(1) << (digits - 1)) - 1) << 1) + 1); }
    __WEFT_STD_FUNCTION static T min() noexcept { return T(-is_signed * max() - is_signed); }
    __WEFT_STD_FUNCTION static T lowest() noexcept { return min(); }
};
template <> struct numeric_limits<char> : __weft_integer_limits<char> {};
template <> struct numeric_limits<signed char> : __weft_integer_limits<signed char> {};
template <> struct numeric_limits<unsigned char> : __weft_integer_limits<unsigned char> {};
template <> struct numeric_limits<wchar_t> : __weft_integer_limits<wchar_t> {};
template <> struct numeric_limits<short> : __weft_integer_limits<short> {};
template <> struct numeric_limits<unsigned short> : __weft_integer_limits<unsigned short> {};
template <> struct numeric_limits<int> : __weft_integer_limits<int> {};
template <> struct numeric_limits<unsigned int> : __weft_integer_limits<unsigned int> {};
template <> struct numeric_limits<long> : __weft_integer_limits<long> {};
template <> struct numeric_limits<unsigned long> : __weft_integer_limits<unsigned long> {};
template <> struct numeric_limits<long long> : __weft_integer_limits<long long> {};
template <> struct numeric_limits<unsigned long long> : __weft_integer_limits<unsigned long long> {};
template <> struct numeric_limits<__int128> : __weft_integer_limits<__int128> {};
template <> struct numeric_limits<unsigned __int128> : __weft_integer_limits<unsigned __int128> {};

template <> struct numeric_limits<bool> : __weft_no_limits, __weft_no_values<bool> {
    static constexpr bool is_specialized = true, is_integer = true, is_exact = true, is_bounded = true;
#ifdef __WEFT_STD_NAME
    static constexpr bool traps = true;
#endif
    static constexpr int digits = 1, radix = 2;
    __WEFT_STD_FUNCTION static bool min() noexcept { return false; }
    __WEFT_STD_FUNCTION static bool max() noexcept { return true; }
    __WEFT_STD_FUNCTION static bool lowest() noexcept { return false; }
};

struct __weft_float_limits : __weft_no_limits {
    static constexpr bool is_specialized = true, is_signed = true, is_iec559 = true, is_bounded = true;
    static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
    static constexpr int radix = 2;
    static constexpr float_denorm_style has_denorm = denorm_present;
    static constexpr float_round_style round_style = round_to_nearest;
};
template <> struct numeric_limits<float> : __weft_float_limits {
    static constexpr int digits = 24, digits10 = 6, max_digits10 = 9;
    static constexpr int min_exponent = -125, min_exponent10 = -37, max_exponent = 128, max_exponent10 = 38;
    __WEFT_STD_FUNCTION static float min() noexcept { return __FLT_MIN__; }
    __WEFT_STD_FUNCTION static float max() noexcept { return __FLT_MAX__; }
    __WEFT_STD_FUNCTION static float lowest() noexcept { return -__FLT_MAX__; }
    __WEFT_STD_FUNCTION static float epsilon() noexcept { return __FLT_EPSILON__; }
    __WEFT_STD_FUNCTION static float round_error() noexcept { return 0.5F; }
    __WEFT_STD_FUNCTION static float infinity() noexcept { return __builtin_huge_valf(); }
    __WEFT_STD_FUNCTION static float quiet_NaN() noexcept { return __builtin_nanf(""); }
    __WEFT_STD_FUNCTION static float signaling_NaN() noexcept { return __builtin_nansf(""); }
    __WEFT_STD_FUNCTION static float denorm_min() noexcept { return __FLT_DENORM_MIN__; }
};
template <> struct numeric_limits<double> : __weft_float_limits {
    static constexpr int digits = 53, digits10 = 15, max_digits10 = 17;
    static constexpr int min_exponent = -1021, min_exponent10 = -307, max_exponent = 1024, max_exponent10 = 308;
    __WEFT_STD_FUNCTION static double min() noexcept { return __DBL_MIN__; }
    __WEFT_STD_FUNCTION static double max() noexcept { return __DBL_MAX__; }
    __WEFT_STD_FUNCTION static double lowest() noexcept { return -__DBL_MAX__; }
    __WEFT_STD_FUNCTION static double epsilon() noexcept { return __DBL_EPSILON__; }
    __WEFT_STD_FUNCTION static double round_error() noexcept { return 0.5; }
    __WEFT_STD_FUNCTION static double infinity() noexcept { return __builtin_huge_val(); }
    __WEFT_STD_FUNCTION static double quiet_NaN() noexcept { return __builtin_nan(""); }
    __WEFT_STD_FUNCTION static double signaling_NaN() noexcept { return __builtin_nans(""); }
    __WEFT_STD_FUNCTION static double denorm_min() noexcept { return __DBL_DENORM_MIN__; }
};
/* Device code computes with `double` in its place. */
template <> struct numeric_limits<long double>;

template <typename T> struct numeric_limits<const T> : numeric_limits<T> {};
template <typename T> struct numeric_limits<volatile T> : numeric_limits<T> {};
template <typename T> struct numeric_limits<const volatile T> : numeric_limits<T> {};

__WEFT_STD_END
