/* Integer types of given widths and their limits (C17 7.20). */
#pragma once

/* int8_t to int64_t are known without it. */
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef signed char int_least8_t;
typedef short int_least16_t;
typedef int int_least32_t;
typedef long int_least64_t;
typedef unsigned char uint_least8_t;
typedef unsigned short uint_least16_t;
typedef unsigned int uint_least32_t;
typedef unsigned long uint_least64_t;
/* The host's: those of 16 and 32 bits are wider than need be. */
typedef signed char int_fast8_t;
typedef long int_fast16_t;
typedef long int_fast32_t;
typedef long int_fast64_t;
typedef unsigned char uint_fast8_t;
typedef unsigned long uint_fast16_t;
typedef unsigned long uint_fast32_t;
typedef unsigned long uint_fast64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;

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
#define INT64_MIN (-9223372036854775807L - 1)
#define INT64_MAX (9223372036854775807L)
#define UINT64_MAX (18446744073709551615UL)
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
#define INT_LEAST64_MIN (-9223372036854775807L - 1)
#define INT_LEAST64_MAX (9223372036854775807L)
#define UINT_LEAST64_MAX (18446744073709551615UL)
#define INT_LEAST64_WIDTH 64
#define UINT_LEAST64_WIDTH 64

/* The same of the fast types. */
#define INT_FAST8_MIN (-128)
#define INT_FAST8_MAX (127)
#define UINT_FAST8_MAX (255)
#define INT_FAST8_WIDTH 8
#define UINT_FAST8_WIDTH 8
#define INT_FAST16_MIN (-9223372036854775807L - 1)
#define INT_FAST16_MAX (9223372036854775807L)
#define UINT_FAST16_MAX (18446744073709551615UL)
#define INT_FAST16_WIDTH 64
#define UINT_FAST16_WIDTH 64
#define INT_FAST32_MIN (-9223372036854775807L - 1)
#define INT_FAST32_MAX (9223372036854775807L)
#define UINT_FAST32_MAX (18446744073709551615UL)
#define INT_FAST32_WIDTH 64
#define UINT_FAST32_WIDTH 64
#define INT_FAST64_MIN (-9223372036854775807L - 1)
#define INT_FAST64_MAX (9223372036854775807L)
#define UINT_FAST64_MAX (18446744073709551615UL)
#define INT_FAST64_WIDTH 64
#define UINT_FAST64_WIDTH 64

/* Pointers as integers, and the widest integers. */
#define INTPTR_MIN (-9223372036854775807L - 1)
#define INTPTR_MAX (9223372036854775807L)
#define UINTPTR_MAX (18446744073709551615UL)
#define INTPTR_WIDTH 64
#define UINTPTR_WIDTH 64
#define INTMAX_MIN (-9223372036854775807L - 1)
#define INTMAX_MAX (9223372036854775807L)
#define UINTMAX_MAX (18446744073709551615UL)
#define INTMAX_WIDTH 64
#define UINTMAX_WIDTH 64

/* Other integers. */
#define PTRDIFF_MIN (-9223372036854775807L - 1)
#define PTRDIFF_MAX (9223372036854775807L)
#define PTRDIFF_WIDTH 64
#define SIZE_MAX (18446744073709551615UL)
#define SIZE_WIDTH 64
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
#define INT64_C(value) value ## L
#define UINT64_C(value) value ## UL
#define INTMAX_C(value) value ## L
#define UINTMAX_C(value) value ## UL
