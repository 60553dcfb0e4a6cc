/* The end of what `weft/std.h` or `weft/cuda_std.h` begins. */
#undef __WEFT_STD_NAME
#undef __WEFT_STD_BEGIN
#undef __WEFT_STD_END
#undef __WEFT_STD_FUNCTION
#undef __WEFT_STD_FUNCTION_20
