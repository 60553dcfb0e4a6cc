/* Function objects for operators, of `std` and of `cuda::std` (C++17 23.14.5 to 23.14.9). */
__WEFT_STD_BEGIN

#define __WEFT_BINARY(name, op, Result)                                                                                          \
    template <typename T = void> struct name {                                                                                   \
        __WEFT_STD_FUNCTION Result operator()(const T &a, const T &b) const { return a op b; }                                   \
    };                                                                                                                           \
    template <> struct name<void> {                                                                                              \
        typedef void is_transparent;                                                                                             \
        template <typename T, typename U>                                                                                        \
        __WEFT_STD_FUNCTION auto operator()(T &&a, U &&b) const -> decltype(static_cast<T &&>(a) op static_cast<U &&>(b))        \
        {                                                                                                                        \
            return static_cast<T &&>(a) op static_cast<U &&>(b);                                                                 \
        }                                                                                                                        \
    };
#define __WEFT_UNARY(name, op, Result)                                                                                           \
    template <typename T = void> struct name {                                                                                   \
        __WEFT_STD_FUNCTION Result operator()(const T &a) const { return op a; }                                                 \
    };                                                                                                                           \
    template <> struct name<void> {                                                                                              \
        typedef void is_transparent;                                                                                             \
        template <typename T> __WEFT_STD_FUNCTION auto operator()(T &&a) const -> decltype(op static_cast<T &&>(a))              \
        {                                                                                                                        \
            return op static_cast<T &&>(a);                                                                                      \
        }                                                                                                                        \
    };

__WEFT_BINARY(plus, +, T)
__WEFT_BINARY(minus, -, T)
__WEFT_BINARY(multiplies, *, T)
__WEFT_BINARY(divides, /, T)
__WEFT_BINARY(modulus, %, T)
__WEFT_BINARY(bit_and, &, T)
__WEFT_BINARY(bit_or, |, T)
__WEFT_BINARY(bit_xor, ^, T)
__WEFT_BINARY(equal_to, ==, bool)
__WEFT_BINARY(not_equal_to, !=, bool)
__WEFT_BINARY(greater, >, bool)
__WEFT_BINARY(less, <, bool)
__WEFT_BINARY(greater_equal, >=, bool)
__WEFT_BINARY(less_equal, <=, bool)
__WEFT_BINARY(logical_and, &&, bool)
__WEFT_BINARY(logical_or, ||, bool)
__WEFT_UNARY(negate, -, T)
__WEFT_UNARY(bit_not, ~, T)
__WEFT_UNARY(logical_not, !, bool)

#undef __WEFT_BINARY
#undef __WEFT_UNARY
__WEFT_STD_END
