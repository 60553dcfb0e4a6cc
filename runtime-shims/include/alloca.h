/* Memory of a function's frame. */
#pragma once

#define alloca(size) __builtin_alloca(size)
#define strdupa(text) __builtin_alloca(strlen(text))
#define strndupa(text, size) __builtin_alloca(size)
