// convert: changes the element type of an image or a signal, as media code does.
//
// Integers stand for numbers from 0 to 1, or from -1 to 1 if they have a sign. Which of the rules applies
// depends on the two types, and is chosen by `if constexpr` when the kernel is compiled: each instance has the
// code of its own rule. The launches in `to_planes` make the compiler emit the instances.
//
// Launch:  any number of blocks of any size; in `convert`, which the host calls
// n        elements
// from     n elements, read
// to       n elements, written: rounded to nearest; what does not fit becomes the closest value

#include <cuda_fp16.h>
#include <limits>
#include <type_traits>

template <typename T>
inline constexpr bool is_number = std::is_floating_point<T>::value || std::is_same<T, __half>::value;

template <typename T>
inline constexpr T greatest = std::numeric_limits<T>::max();

template <typename To, typename From>
__device__ To converted(From from)
{
    if constexpr (std::is_same<To, From>::value) {
        return from;
    } else if constexpr (is_number<From> && is_number<To>) {
        return To(float(from));
    } else if constexpr (is_number<From>) {
        const float least = std::is_signed<To>::value ? -1.0f : 0.0f;
        // A NaN becomes the least value.
        return To(rintf(fminf(fmaxf(float(from), least), 1.0f) * float(greatest<To>)));
    } else if constexpr (is_number<To>) {
        const float number = float(from) / float(greatest<From>);
        return To(std::is_signed<From>::value ? fmaxf(number, -1.0f) : number);
    } else if constexpr (std::is_signed<From>::value == std::is_signed<To>::value && sizeof(To) < sizeof(From)) {
        // Exact: half of the distance between two values is added, then the low bits are dropped.
        constexpr int dropped = 8 * (sizeof(From) - sizeof(To));
        const long long rounded = ((long long)from + (1 << (dropped - 1))) >> dropped;
        return To(rounded < greatest<To> ? rounded : greatest<To>);
    } else {
        return converted<To>(converted<float>(from));
    }
}

template <typename To, typename From>
__global__ void convert_elements(int n, const From *__restrict__ from, To *__restrict__ to)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        to[i] = converted<To>(from[i]);
}

template <typename To, typename From>
void convert(int n, const From *from, To *to)
{
    convert_elements<<<(n + 255) / 256, 256>>>(n, from, to);
}

// A frame of a camera to what a network reads, and its result to what a screen shows.
void to_planes(int n, const unsigned short *raw, __half *input) { convert(n, raw, input); }
void to_screen(int n, const __half *output, unsigned char *pixel) { convert(n, output, pixel); }
void to_preview(int n, const unsigned short *raw, unsigned char *pixel) { convert(n, raw, pixel); }
void to_sound(int n, const float *wave, short *sample) { convert(n, wave, sample); }
void to_level(int n, const signed char *sample, unsigned short *level) { convert(n, sample, level); }
