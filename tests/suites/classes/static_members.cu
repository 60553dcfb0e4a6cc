// Static data members: constants as values, bounds and template arguments; arrays and objects in constant expressions.
enum Kind { PLAIN, ODD = 5 };
struct Point {
    int x, y;
    float w;
};
struct Tile {
    static const int SIZE = 4, HALF = SIZE / 2;
    static constexpr float SCALE = 2.5f;
    static constexpr auto STEP = 3;
    static constexpr double THIRD = 1.0 / 3;
    static const Kind KIND = ODD;
    static constexpr bool WIDE{true};
    static constexpr int TABLE[] = {1, 2, 4, 8};
    static constexpr char NAME[] = "tile";
    static constexpr Point ORIGIN = {7, 8, 1.5f};
    inline static const unsigned MASK = 0xffu;
    static const int LATER;
    static int counter;
    int cells[SIZE][TABLE[1]];
    __device__ int sum() const
    {
        int total = 0;
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < HALF; j++)
                total += cells[i][j];
        return total;
    }
    __device__ static int corner(int at = SIZE) { return at * ORIGIN.x + STEP; }
    __device__ int last() const;
};
const int Tile::SIZE;
const int Tile::LATER = 11;
constexpr int Tile::TABLE[];
__device__ int Tile::last() const { return cells[SIZE - 1][HALF - 1] + LATER; }

namespace lib {
class Outer {
public:
    static constexpr int N = 6;
    struct Inner {
        static constexpr int N = Outer::N + 1;
        int v[N];
    };
};
constexpr Point unit = {1, 1, 1};
}
constexpr float2 pair = {0.5f, 0.25f};

template <int n> __device__ int times(int x) { return n * x; }
__device__ float scaled(float x) { return x * Tile::SCALE + pair.x - pair.y; }

extern "C" __global__ void test(int *out)
{
    Tile tile;
    for (int i = 0; i < Tile::SIZE; i++)
        for (int j = 0; j < tile.HALF; j++)
            tile.cells[i][j] = i * 10 + j;
    out[0] = tile.sum() + Tile::corner() + tile.corner(1);
    out[1] = times<Tile::SIZE>(2) + times<Tile::TABLE[3]>(1) + sizeof(Tile::TABLE) + sizeof Tile::NAME;
    constexpr int eight = Tile::TABLE[3] + Tile::NAME[0];
    out[2] = eight + Tile::KIND + Tile::WIDE + (int)(Tile::THIRD * 9) + Tile::MASK;
    out[3] = (int)scaled(4) + tile.last();
    out[4] = Tile::ORIGIN.x * 2 + (int)Tile::ORIGIN.w + lib::unit.y;
    __shared__ int shared[lib::Outer::Inner::N];
    shared[lib::Outer::N] = sizeof(lib::Outer::Inner);
    out[5] = shared[6];
    switch (out[1]) {
    case Tile::SIZE: out[6] = 1; break;
    default: out[6] = (&tile)->LATER + (out[0] > Tile::HALF ? Tile::HALF : Tile::SIZE);
    }
}
