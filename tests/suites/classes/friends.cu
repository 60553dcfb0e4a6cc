// Friends: functions that only objects lead to, operators, classes, member functions of others, kernels, and what they may name.
class Money;
struct Bank {
    int id;
    __device__ int audit(const Money &money) const;
    __device__ static int of(Money *money);
};
namespace lib {
class Fixed {
    int raw;
    typedef int Raw;

public:
    __device__ static Fixed of(int value)
    {
        Fixed made;
        made.raw = value * 16;
        return made;
    }
    friend __device__ Fixed operator+(Fixed a, Fixed b) { return sum(a, b); }
    friend __device__ Fixed operator*(int factor, const Fixed &value)
    {
        Fixed made = value;
        made.raw *= factor;
        return made;
    }
    friend __device__ bool operator<(const Fixed &a, const Fixed &b) { return a.raw < b.raw; }
    friend __device__ __noinline__ Raw raw_of(Fixed value, int extra = 1) { return Raw(value.raw + extra); }
    friend __device__ int later(const Fixed &value);
    __device__ static Fixed sum(Fixed a, Fixed b)
    {
        a.raw += b.raw;
        return a;
    }
};
__device__ int later(const Fixed &value) { return value.raw * 2; }
}

class Money {
    int cents;
    struct Coin {
        int value;
    };
    friend class Purse;
    friend Bank;
    friend __global__ void paid(Money, int *);
    friend __device__ Money &operator++(Money &money)
    {
        ++money.cents;
        return money;
    }
    __device__ friend int cents_of(const Money *money) { return money->cents; }
    friend __device__ int twice(Money money);

public:
    __device__ void set(int value) { cents = value; }
};
class Safe {
    int code;
    friend __device__ int Bank::audit(const Money &) const;
    friend __device__ int Bank::of(Money *);

public:
    __device__ static Safe made()
    {
        Safe safe;
        safe.code = 77;
        return safe;
    }
};
class Purse {
    struct Pocket {
        __device__ static int count(Money money) { return money.cents; }
    };

public:
    __device__ static int count(Money money)
    {
        Money::Coin coin{4};
        return Pocket::count(money) + coin.value;
    }
};
__device__ int Bank::audit(const Money &money) const { return money.cents + id + Safe::made().code; }
__device__ int Bank::of(Money *money)
{
    struct Inner {
        __device__ static int look(Safe safe) { return safe.code; }
    };
    return Inner::look(Safe::made()) - money->cents;
}
__device__ int twice(Money money) { return 2 * money.cents; }
__global__ void paid(Money money, int *out) { out[0] = money.cents; }

extern "C" __global__ void test(int *out)
{
    lib::Fixed one = lib::Fixed::of(1), two = 2 * one;
    out[0] = raw_of(one + two) + raw_of(two, 5) + (one < two);
    out[1] = later(one) + lib::later(two);
    Money money;
    money.set(5);
    out[2] = cents_of(&++money) + ::twice(money) + twice(money);
    out[3] = Purse::count(money) + Bank{100}.audit(money) + Bank::of(&money);
}
