// Enumerators as arguments: of a plain enum, of one with a type, of a scoped one, and in a namespace.
enum Op { ADD, SUB = 5 };
enum Small : unsigned char { LOW = 1, HIGH = 200 };
enum class Mode { off, on = 3 };
namespace layout { enum class Order { row, column }; }

template <Op OP> __device__ int apply(int a, int b) { return OP == ADD ? a + b : a - b; }
template <Small S> __device__ int value() { return S; }
template <Mode M> __device__ int mode()
{
    if constexpr (M == Mode::on) return 1;
    return static_cast<int>(M) - 10;
}
template <layout::Order O> __device__ int index(int row, int column)
{
    return O == layout::Order::row ? row * 8 + column : column * 8 + row;
}

extern "C" __global__ void test(int *out)
{
    out[0] = apply<ADD>(7, 3);
    out[1] = apply<SUB>(7, 3);
    out[2] = apply<Op(5)>(1, 2);
    out[3] = value<HIGH>();
    out[4] = value<LOW>();
    out[5] = mode<Mode::on>();
    out[6] = mode<Mode::off>();
    out[7] = index<layout::Order::row>(1, 2);
    out[8] = index<layout::Order::column>(1, 2);
}
