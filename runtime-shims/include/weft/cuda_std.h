/* What headers of CUDA's C++ library declare is in `cuda::std`, for the host and the device. */
#include <cuda/std/cstddef>
#define __WEFT_STD_BEGIN namespace cuda { namespace std { inline namespace __4 {
#define __WEFT_STD_END } } }
#define __WEFT_STD_FUNCTION constexpr __forceinline__ __host__ __device__
#define __WEFT_STD_FUNCTION_20 __WEFT_STD_FUNCTION
