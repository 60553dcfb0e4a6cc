// radix_sort: sorts keys of any arithmetic type of 32 or 64 bits, from the least significant digit on.
//
// A pass sorts by one digit of BITS bits and keeps the order of equal digits, so that after the last pass the
// keys are sorted. Key<T> says how a number is written as unsigned bits that sort like it. A pass has three
// kernels: how often each digit is in each block's keys; where each block's keys of a digit go to; the move.
// `radix_sort` is the host's function that launches them.
//
// count_digits:  grid ceil(n / BLOCK), block BLOCK
// place_digits:  grid 1, block DIGITS
// move_keys:     grid ceil(n / BLOCK), block BLOCK
// shift          the first bit of the digit
// key            n keys, read
// count          DIGITS times the number of blocks: for each digit one number per block
// sorted         n keys, written

constexpr int BLOCK = 128, BITS = 4, DIGITS = 1 << BITS;

template <typename T>
struct Key;

template <>
struct Key<unsigned> {
    using Bits = unsigned;
    static __device__ Bits bits(unsigned key) { return key; }
};

template <>
struct Key<int> {
    using Bits = unsigned;
    static __device__ Bits bits(int key) { return Bits(key) ^ 0x80000000; }
};

template <>
struct Key<float> {
    using Bits = unsigned;
    // Negative numbers sort the other way round.
    static __device__ Bits bits(float key)
    {
        const Bits bits = __float_as_uint(key);
        return bits >> 31 ? ~bits : bits | 0x80000000;
    }
};

template <>
struct Key<long long> {
    using Bits = unsigned long long;
    static __device__ Bits bits(long long key) { return Bits(key) ^ 1ull << 63; }
};

template <typename T>
__device__ int digit_of(T key, int shift)
{
    return int(Key<T>::bits(key) >> shift) & (DIGITS - 1);
}

template <typename T>
__global__ void __launch_bounds__(BLOCK) count_digits(int n, int shift, const T *key, int *count)
{
    __shared__ int of_digit[DIGITS];
    const int i = blockIdx.x * BLOCK + threadIdx.x;

    if (threadIdx.x < DIGITS)
        of_digit[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&of_digit[digit_of(key[i], shift)], 1);
    __syncthreads();
    if (threadIdx.x < DIGITS)
        count[threadIdx.x * gridDim.x + blockIdx.x] = of_digit[threadIdx.x];
}

// Replaces each count by the sum of those before it. A thread owns the numbers of a digit.
template <int N>
__global__ void __launch_bounds__(N) place_digits(int blocks, int *count)
{
    __shared__ int total[N];
    int sum = 0;

    count += threadIdx.x * blocks;
    for (int i = 0; i < blocks; i++)
        sum += count[i];
    total[threadIdx.x] = sum;
    __syncthreads();

    int place = 0;
    for (int digit = 0; digit < threadIdx.x; digit++)
        place += total[digit];
    for (int i = 0; i < blocks; i++) {
        const int own = count[i];
        count[i] = place;
        place += own;
    }
}

template <typename T>
__global__ void __launch_bounds__(BLOCK) move_keys(int n, int shift, const T *key, const int *place, T *sorted)
{
    __shared__ unsigned has_digit[BLOCK / 32][DIGITS];
    const int i = blockIdx.x * BLOCK + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const T own = i < n ? key[i] : T(0);
    const int digit = i < n ? digit_of(own, shift) : -1;

    for (int d = 0; d < DIGITS; d++) {
        const unsigned lanes = __ballot_sync(0xffffffff, digit == d);
        if (lane == 0)
            has_digit[warp][d] = lanes;
    }
    __syncthreads();

    if (i < n) {
        int before = __popc(has_digit[warp][digit] & ((1u << lane) - 1));
        for (int w = 0; w < warp; w++)
            before += __popc(has_digit[w][digit]);
        sorted[place[digit * gridDim.x + blockIdx.x] + before] = own;
    }
}

// Sorts `key`; `other` has room for as many, and `count` for DIGITS numbers per block.
template <typename T>
void radix_sort(int n, T *key, T *other, int *count)
{
    const int blocks = (n + BLOCK - 1) / BLOCK;
    for (int shift = 0; shift < int(8 * sizeof(T)); shift += BITS) {
        count_digits<<<blocks, BLOCK>>>(n, shift, key, count);
        place_digits<DIGITS><<<1, DIGITS>>>(blocks, count);
        move_keys<<<blocks, BLOCK>>>(n, shift, key, count, other);
        T *swapped = key;
        key = other;
        other = swapped;
    }
}

template void radix_sort<unsigned>(int, unsigned *, unsigned *, int *);
template void radix_sort<int>(int, int *, int *, int *);
template void radix_sort<float>(int, float *, float *, int *);
template void radix_sort<long long>(int, long long *, long long *, int *);
