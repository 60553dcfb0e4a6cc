named __FILE__ __INCLUDE_LEVEL__
#ifndef BESIDE
#define BESIDE
#include "../include/named.h"
#undef BESIDE
#endif
