/* Memory of a function's frame. */
#pragma once

#define alloca(size) __builtin_alloca(size)
