/* The type of <stdarg.h> that <stdio.h> has, too. */
#pragma once

typedef __builtin_va_list va_list;
