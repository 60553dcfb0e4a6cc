/* Complex numbers: pairs of floating-point numbers, and arithmetic on them in the order of CUDA's, so that
   results round alike. */
#pragma once

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __CU_COMPLEX_FUNCTION static __inline__ __host__ __device__

__CU_COMPLEX_FUNCTION float cuCrealf(cuFloatComplex z) { return z.x; }
__CU_COMPLEX_FUNCTION float cuCimagf(cuFloatComplex z) { return z.y; }
__CU_COMPLEX_FUNCTION cuFloatComplex make_cuFloatComplex(float real, float imaginary) { return make_float2(real, imaginary); }
__CU_COMPLEX_FUNCTION cuFloatComplex cuConjf(cuFloatComplex z) { return make_cuFloatComplex(z.x, -z.y); }
__CU_COMPLEX_FUNCTION cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) { return make_cuFloatComplex(a.x + b.x, a.y + b.y); }
__CU_COMPLEX_FUNCTION cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) { return make_cuFloatComplex(a.x - b.x, a.y - b.y); }
__CU_COMPLEX_FUNCTION cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
    return make_cuFloatComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/* Scaled by the divisor's size, so that no square overflows. */
__CU_COMPLEX_FUNCTION cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
    float scale = 1.0f / (fabsf(b.x) + fabsf(b.y));
    float ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
    float over = 1.0f / (bx * bx + by * by);
    return make_cuFloatComplex((ax * bx + ay * by) * over, (ay * bx - ax * by) * over);
}
/* Scaled by the larger part; zeros, infinities and NaNs add up. */
__CU_COMPLEX_FUNCTION float cuCabsf(cuFloatComplex z) {
    float x = fabsf(z.x), y = fabsf(z.y);
    float large = x > y ? x : y, small = x > y ? y : x;
    float ratio = small / large;
    float size = large * sqrtf(1.0f + ratio * ratio);
    return large == 0 || large > 3.402823466e38f || small > 3.402823466e38f ? large + small : size;
}
__CU_COMPLEX_FUNCTION cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
    float x = a.x * b.x + c.x, y = a.x * b.y + c.y;
    return make_cuFloatComplex(-(a.y * b.y) + x, a.y * b.x + y);
}

__CU_COMPLEX_FUNCTION double cuCreal(cuDoubleComplex z) { return z.x; }
__CU_COMPLEX_FUNCTION double cuCimag(cuDoubleComplex z) { return z.y; }
__CU_COMPLEX_FUNCTION cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) { return make_double2(real, imaginary); }
__CU_COMPLEX_FUNCTION cuDoubleComplex cuConj(cuDoubleComplex z) { return make_cuDoubleComplex(z.x, -z.y); }
__CU_COMPLEX_FUNCTION cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) { return make_cuDoubleComplex(a.x + b.x, a.y + b.y); }
__CU_COMPLEX_FUNCTION cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) { return make_cuDoubleComplex(a.x - b.x, a.y - b.y); }
__CU_COMPLEX_FUNCTION cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
    return make_cuDoubleComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/* Scaled by the divisor's size, so that no square overflows. */
__CU_COMPLEX_FUNCTION cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
    double scale = 1.0 / (fabs(b.x) + fabs(b.y));
    double ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
    double over = 1.0 / (bx * bx + by * by);
    return make_cuDoubleComplex((ax * bx + ay * by) * over, (ay * bx - ax * by) * over);
}
/* Scaled by the larger part; zeros, infinities and NaNs add up. */
__CU_COMPLEX_FUNCTION double cuCabs(cuDoubleComplex z) {
    double x = fabs(z.x), y = fabs(z.y);
    double large = x > y ? x : y, small = x > y ? y : x;
    double ratio = small / large;
    double size = large * sqrt(1.0 + ratio * ratio);
    return large == 0 || large > 1.79769313486231570e+308 || small > 1.79769313486231570e+308 ? large + small : size;
}
__CU_COMPLEX_FUNCTION cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
    double x = a.x * b.x + c.x, y = a.x * b.y + c.y;
    return make_cuDoubleComplex(-(a.y * b.y) + x, a.y * b.x + y);
}

__CU_COMPLEX_FUNCTION cuComplex make_cuComplex(float real, float imaginary) { return make_float2(real, imaginary); }
__CU_COMPLEX_FUNCTION cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_double2(z.x, z.y); }
__CU_COMPLEX_FUNCTION cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return make_float2((float)z.x, (float)z.y);
}

#undef __CU_COMPLEX_FUNCTION
