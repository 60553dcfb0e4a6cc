/* Strings and memory (C17 7.24). The compiler knows the functions by itself. */
#pragma once
#include <stddef.h>
