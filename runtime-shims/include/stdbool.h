/* The type of truth values (C17 7.18): a type of the language in C++. */
#pragma once

#define _Bool bool
#define __bool_true_false_are_defined 1
