/* What headers of the C++ library declare is in `std`. To nvcc, its functions are `constexpr` ones of the host: the compiler refuses them in
   device code without `--expt-relaxed-constexpr`. */
#include <stddef.h>
#define __WEFT_STD_NAME std
#define __WEFT_STD_BEGIN namespace __weft_std {
#define __WEFT_STD_END }
#define __WEFT_STD_FUNCTION constexpr __forceinline__ __host__ __device__
