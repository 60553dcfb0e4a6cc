/* What headers of the C++ library declare is in `std`, and its functions are the host's, as to nvcc. */
#include <stddef.h>
#define __WEFT_STD_NAME std
#define __WEFT_STD_BEGIN namespace __weft_std {
#define __WEFT_STD_END }
#define __WEFT_STD_FUNCTION constexpr
