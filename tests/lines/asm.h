// Called from another file: `inlined_at` names both.
static __device__ __forceinline__ int in_header(int x)
{
    int r;
    asm("mul.lo.s32 %0, %1, 7;\n\t"
        "add.s32 %0, %0, 5;"
        : "=r"(r)
        : "r"(x));
    return r;
}
