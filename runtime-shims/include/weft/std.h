/* What headers of the C++ library declare is in `std`. To nvcc, its functions are the host's: the compiler refuses those that are `constexpr` in
   device code without `--expt-relaxed-constexpr`, and the others with it, too. */
#include <stddef.h>
#define __WEFT_STD_NAME std
#define __WEFT_STD_BEGIN namespace __weft_std {
#define __WEFT_STD_END }
#define __WEFT_STD_FUNCTION constexpr __forceinline__ __host__ __device__
/* One that is `constexpr` since C++20. */
#define __WEFT_STD_FUNCTION_20 __forceinline__ __host__ __device__
