// The Game of Life: scoped enumerations in device code, bit fields, patterns as raw strings, a board with operators on the host.
//@ launch: next_generation grid=2,2 block=8,8
//@ arg: from=u8[12,16]={0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
//@ arg: to=u8[12,16]
//@ arg: {16, 12, 8, 12, i8:1}
//@ arg: u32={0, 0}
//@ launch: next_generation grid=1 block=8,8
//@ arg: from=u8[5,5]={0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}
//@ arg: to=u8[5,5]
//@ arg: {5, 5, 8, 12, i8:0}
//@ arg: changes=u32={0, 0}
//@ expect: to={0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 1, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}
//@ expect: changes={2, 2}
//@ launch: show grid=1 block=1
//@ arg: cells=u8={0, 1, 2, 1, 1, 0}
//@ arg: {3, 2, 8, 12, i8:1}
//@ printed: .#+
//@ printed: ##.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

enum class Cell : unsigned char { Dead, Alive, Ghost };
enum class Edge : signed char { Bounded, Torus };
enum { BIRTHS = 0, DEATHS };

struct Rules {
    int width;
    int height;
    unsigned birth;   // A bit for each number of neighbors.
    unsigned survive;
    Edge edge;
};

static_assert(sizeof(Cell) == 1, "a byte for each cell");

__device__ static int is_alive(const Cell *cells, int x, int y, Rules rules)
{
    if (rules.edge == Edge::Torus) {
        x = (x + rules.width) % rules.width;
        y = (y + rules.height) % rules.height;
    } else if (x < 0 || y < 0 || x >= rules.width || y >= rules.height) {
        return 0;
    }
    return cells[y * rules.width + x] == Cell::Alive;
}

__global__ void next_generation(const Cell *from, Cell *to, Rules rules, unsigned *changes)
{
    const int x = threadIdx.x + blockIdx.x * blockDim.x;
    const int y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= rules.width || y >= rules.height)
        return;
    int neighbors = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0)
                neighbors += is_alive(from, x + dx, y + dy, rules);
    const Cell now = from[y * rules.width + x];
    Cell then;
    switch (now) {
    case Cell::Alive:
        then = rules.survive >> neighbors & 1 ? Cell::Alive : Cell::Ghost;
        break;
    case Cell::Dead:
    case Cell::Ghost:
        then = rules.birth >> neighbors & 1 ? Cell::Alive : Cell::Dead;
        break;
    }
    to[y * rules.width + x] = then;
    if (now != Cell::Alive && then == Cell::Alive)
        atomicAdd(&changes[BIRTHS], 1u);
    if (then == Cell::Ghost)
        atomicAdd(&changes[DEATHS], 1u);
}

__global__ void show(const Cell *cells, Rules rules)
{
    const char glyphs[] = ".#+";
    for (int y = 0; y < rules.height; ++y) {
        for (int x = 0; x < rules.width; ++x)
            printf("%c", glyphs[static_cast<int>(cells[y * rules.width + x])]);
        printf("\n");
    }
}

static constexpr const char *GLIDER = R"(
.#.
..#
###)";

class Board {
    std::vector<Cell> cells;
    Rules rules;

  public:
    Board(int width, int height, Edge edge = Edge::Torus)
        : cells(width * height, Cell::Dead), rules{width, height, 1u << 3, 1u << 2 | 1u << 3, edge}
    {
    }
    Cell &operator()(int x, int y) { return cells.at(y * rules.width + x); }
    Cell operator()(int x, int y) const { return cells.at(y * rules.width + x); }
    Board &stamp(const char *pattern, int x, int y)
    {
        int column = x;
        for (const char *p = pattern + (*pattern == '\n'); *p; ++p) {
            switch (*p) {
            case '\n': column = x, ++y; continue;
            case '#': (*this)(column, y) = Cell::Alive; [[fallthrough]];
            case '.': ++column; break;
            default: throw std::invalid_argument(std::string("unknown cell: ") + *p);
            }
        }
        return *this;
    }
    void run(int generations);
    explicit operator bool() const { return !cells.empty(); }
};

void Board::run(int generations)
{
    Cell *a, *b;
    unsigned *changes, counted[2]{};
    cudaMalloc(&a, cells.size() * sizeof(Cell));
    cudaMalloc(&b, cells.size() * sizeof(Cell));
    cudaMalloc(&changes, sizeof counted);
    cudaMemset(changes, 0, sizeof counted);
    cudaMemcpy(a, cells.data(), cells.size(), cudaMemcpyHostToDevice);
    const dim3 block(16, 16), grid((rules.width + 15) / 16, (rules.height + 15) / 16);
    while (generations-- > 0) {
        next_generation<<<grid, block>>>(a, b, rules, changes);
        std::swap(a, b);
    }
    show<<<1, 1>>>(a, rules);
    cudaMemcpy(cells.data(), a, cells.size(), cudaMemcpyDeviceToHost);
    cudaMemcpy(counted, changes, sizeof counted, cudaMemcpyDeviceToHost);
    printf("%u births, %u deaths\n", counted[BIRTHS], counted[DEATHS]);
    cudaFree(a), cudaFree(b), cudaFree(changes);
}

int main(int argc, char **argv)
try {
    Board board(40, 20);
    board.stamp(GLIDER, 2, 2).stamp("##\n##", 20, 10);
    board.run(argc > 1 ? atoi(argv[1]) : 30);
    return board ? cudaGetLastError() : 1;
} catch (std::exception const &e) {
    fputs(e.what(), stderr);
    return 2;
}
