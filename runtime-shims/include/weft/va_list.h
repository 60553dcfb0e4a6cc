/* The type of <stdarg.h> that <stdio.h> has, too: the host's, by the x86-64 psABI 3.5.7. */
#pragma once

typedef struct __va_list_tag {
    unsigned int gp_offset;
    unsigned int fp_offset;
    void *overflow_arg_area;
    void *reg_save_area;
} va_list[1];
