/* Integer types of given widths and their limits (C17 7.20). */
#pragma once

/* int8_t to int64_t are known without it. */
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef signed char int_least8_t;
typedef short int_least16_t;
typedef int int_least32_t;
typedef __INT64_TYPE__ int_least64_t;
typedef unsigned char uint_least8_t;
typedef unsigned short uint_least16_t;
typedef unsigned int uint_least32_t;
typedef __UINT64_TYPE__ uint_least64_t;
/* The host's: those of 16 and 32 bits are wider than need be. */
typedef signed char int_fast8_t;
typedef __INTPTR_TYPE__ int_fast16_t;
typedef __INTPTR_TYPE__ int_fast32_t;
typedef __INT64_TYPE__ int_fast64_t;
typedef unsigned char uint_fast8_t;
typedef __UINTPTR_TYPE__ uint_fast16_t;
typedef __UINTPTR_TYPE__ uint_fast32_t;
typedef __UINT64_TYPE__ uint_fast64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INT64_TYPE__ intmax_t;
typedef __UINT64_TYPE__ uintmax_t;

/* Limits and widths; what is below `int` promotes to it. */
#define INT8_MIN (-128)
#define INT8_MAX (127)
#define UINT8_MAX (255)
#define INT8_WIDTH 8
#define UINT8_WIDTH 8
#define INT16_MIN (-32767 - 1)
#define INT16_MAX (32767)
#define UINT16_MAX (65535)
#define INT16_WIDTH 16
#define UINT16_WIDTH 16
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX (2147483647)
#define UINT32_MAX (4294967295U)
#define INT32_WIDTH 32
#define UINT32_WIDTH 32
#define INT64_MIN (-__INT64_C(9223372036854775807) - 1)
#define INT64_MAX (__INT64_C(9223372036854775807))
#define UINT64_MAX (__UINT64_C(18446744073709551615))
#define INT64_WIDTH 64
#define UINT64_WIDTH 64

/* The same of the least types. */
#define INT_LEAST8_MIN (-128)
#define INT_LEAST8_MAX (127)
#define UINT_LEAST8_MAX (255)
#define INT_LEAST8_WIDTH 8
#define UINT_LEAST8_WIDTH 8
#define INT_LEAST16_MIN (-32767 - 1)
#define INT_LEAST16_MAX (32767)
#define UINT_LEAST16_MAX (65535)
#define INT_LEAST16_WIDTH 16
#define UINT_LEAST16_WIDTH 16
#define INT_LEAST32_MIN (-2147483647 - 1)
#define INT_LEAST32_MAX (2147483647)
#define UINT_LEAST32_MAX (4294967295U)
#define INT_LEAST32_WIDTH 32
#define UINT_LEAST32_WIDTH 32
#define INT_LEAST64_MIN (-__INT64_C(9223372036854775807) - 1)
#define INT_LEAST64_MAX (__INT64_C(9223372036854775807))
#define UINT_LEAST64_MAX (__UINT64_C(18446744073709551615))
#define INT_LEAST64_WIDTH 64
#define UINT_LEAST64_WIDTH 64

/* The same of the fast types. */
#define INT_FAST8_MIN (-128)
#define INT_FAST8_MAX (127)
#define UINT_FAST8_MAX (255)
#define INT_FAST8_WIDTH 8
#define UINT_FAST8_WIDTH 8
#define INT_FAST16_MIN (-__INTPTR_MAX__ - 1)
#define INT_FAST16_MAX (__INTPTR_MAX__)
#define UINT_FAST16_MAX (__UINTPTR_MAX__)
#define INT_FAST16_WIDTH __INTPTR_WIDTH__
#define UINT_FAST16_WIDTH __INTPTR_WIDTH__
#define INT_FAST32_MIN (-__INTPTR_MAX__ - 1)
#define INT_FAST32_MAX (__INTPTR_MAX__)
#define UINT_FAST32_MAX (__UINTPTR_MAX__)
#define INT_FAST32_WIDTH __INTPTR_WIDTH__
#define UINT_FAST32_WIDTH __INTPTR_WIDTH__
#define INT_FAST64_MIN (-__INT64_C(9223372036854775807) - 1)
#define INT_FAST64_MAX (__INT64_C(9223372036854775807))
#define UINT_FAST64_MAX (__UINT64_C(18446744073709551615))
#define INT_FAST64_WIDTH 64
#define UINT_FAST64_WIDTH 64

/* Pointers as integers, and the widest integers. */
#define INTPTR_MIN (-__INTPTR_MAX__ - 1)
#define INTPTR_MAX (__INTPTR_MAX__)
#define UINTPTR_MAX (__UINTPTR_MAX__)
#define INTPTR_WIDTH __INTPTR_WIDTH__
#define UINTPTR_WIDTH __INTPTR_WIDTH__
#define INTMAX_MIN (-__INT64_C(9223372036854775807) - 1)
#define INTMAX_MAX (__INT64_C(9223372036854775807))
#define UINTMAX_MAX (__UINT64_C(18446744073709551615))
#define INTMAX_WIDTH 64
#define UINTMAX_WIDTH 64

/* Other integers. */
#define PTRDIFF_MIN (-__PTRDIFF_MAX__ - 1)
#define PTRDIFF_MAX (__PTRDIFF_MAX__)
#define PTRDIFF_WIDTH __PTRDIFF_WIDTH__
#define SIZE_MAX (__SIZE_MAX__)
#define SIZE_WIDTH __SIZE_WIDTH__
#define SIG_ATOMIC_MIN (-2147483647 - 1)
#define SIG_ATOMIC_MAX (2147483647)
#define SIG_ATOMIC_WIDTH 32
#define WCHAR_MIN (-2147483647 - 1)
#define WCHAR_MAX 2147483647
#define WCHAR_WIDTH 32
#define WINT_MIN (0U)
#define WINT_MAX (4294967295U)
#define WINT_WIDTH 32

/* Constants of the types. */
#define INT8_C(value) value
#define UINT8_C(value) value
#define INT16_C(value) value
#define UINT16_C(value) value
#define INT32_C(value) value
#define UINT32_C(value) value ## U
#define INT64_C(value) __INT64_C(value)
#define UINT64_C(value) __UINT64_C(value)
#define INTMAX_C(value) __INT64_C(value)
#define UINTMAX_C(value) __UINT64_C(value)
