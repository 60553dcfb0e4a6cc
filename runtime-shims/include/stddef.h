/* Sizes and null pointers (C17 7.19). `size_t`, `ptrdiff_t` and `nullptr_t` are known without it. */
#pragma once

#define NULL 0L
#define offsetof(type, member) __builtin_offsetof(type, member)

/* As large and as aligned as the widest scalar types, `long double` among them; of 32 bits, GNU's `__float128` too. */
typedef struct {
    long long integer;
    alignas(16) char floating[16];
#ifndef __LP64__
    alignas(16) char wide[16];
#endif
} max_align_t;
