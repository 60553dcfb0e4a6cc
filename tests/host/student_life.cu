// A student's program: global arrays, everything in macros, comments that lie, no error checks, copy and paste.
//@ launch: step grid=2,2 block=16,16
//@ arg: a=i32[32,32]=random(1, 0, 2)
//@ arg: b=i32[32,32]
//@ launch: step_shared grid=2,2 block=16,16
//@ arg: a=i32[32,32]=random(2, 0, 2)
//@ arg: b=i32[32,32]
//@ launch: count_alive grid=4 block=128
//@ arg: a=i32[32,32]=random(3, 0, 2)
//@ arg: per_block=i32[4]
//@ read: alive
//@ launch: fill grid=1 block=32
//@ arg: a=i32[32,32]
//@ arg: -7
#include <iostream>
#include <cstdlib>
#include <ctime>
#include <unistd.h>
using namespace std;

#define N 32
#define SIZE (N * N)
#define BYTES SIZE * sizeof(int)
#define T 16
#define ROW (blockIdx.y * blockDim.y + threadIdx.y)
#define COL (blockIdx.x * blockDim.x + threadIdx.x)
#define ID threadIdx.x + blockIdx.x * blockDim.x
#define AT(m, r, c) m[((r) + N) % N * N + ((c) + N) % N]
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define PRINT(x) cout << #x << " = " << (x) << endl
#define BEGIN {
#define END }
#define KERNEL __global__ void
#define DEVICE __device__

// GLOBALS
int h_a[N][N];
int h_b[N][N];
int *d_a, *d_b;
int generations = 10;
double total_time = 0.0, best = 1e9;
bool verbose = true;
string title = "Game of Life";
char symbols[] = {'.', '#', 0};
DEVICE int alive = 0;
__constant__ int rule[2][9] = {{0, 0, 0, 1}, {0, 0, 1, 1}};

/* KERNEL 1: simple version */
KERNEL step(int *a, int *b)
BEGIN
    int r = ROW, c = COL, n = 0;
    FOR(i, 3)
        FOR(j, 3)
            if (i != 1 || j != 1)
                n += AT(a, r + i - 1, c + j - 1);
    AT(b, r, c) = rule[AT(a, r, c)][n];
END

/* KERNEL 2: with shared memory (faster???) */
KERNEL step_shared(int *a, int *b)
BEGIN
    __shared__ int s[T + 2][T + 2];
    int r = ROW, c = COL, x = threadIdx.x + 1, y = threadIdx.y + 1, n = 0;
    s[y][x] = AT(a, r, c);
    if (x == 1) s[y][0] = AT(a, r, c - 1);
    if (x == T) s[y][T + 1] = AT(a, r, c + 1);
    if (y == 1) s[0][x] = AT(a, r - 1, c);
    if (y == T) s[T + 1][x] = AT(a, r + 1, c);
    // corners!!!
    if (x == 1 && y == 1) s[0][0] = AT(a, r - 1, c - 1);
    if (x == T && y == 1) s[0][T + 1] = AT(a, r - 1, c + 1);
    if (x == 1 && y == T) s[T + 1][0] = AT(a, r + 1, c - 1);
    if (x == T && y == T) s[T + 1][T + 1] = AT(a, r + 1, c + 1);
    __syncthreads();
    n = s[y-1][x-1] + s[y-1][x] + s[y-1][x+1] + s[y][x-1] + s[y][x+1] + s[y+1][x-1] + s[y+1][x] + s[y+1][x+1];
    AT(b, r, c) = s[y][x] ? (n == 2 || n == 3) : (n == 3);
END

KERNEL count_alive(int *a, int *per_block)
BEGIN
    __shared__ int block_alive;
    if (threadIdx.x == 0) block_alive = 0;
    __syncthreads();
    int mine = 0;
    for (int i = ID; i < SIZE; i += blockDim.x * gridDim.x) mine += a[i];
    atomicAdd(&block_alive, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&alive, per_block[blockIdx.x] = block_alive);
END

KERNEL fill(int *a, int v) BEGIN int i = ID; while (i < SIZE) a[i] = v, i += blockDim.x; END

void print_board(int board[N][N])
BEGIN
    FOR(i, N)
    BEGIN
        FOR(j, N) cout << symbols[board[i][j]] << (j == N - 1 ? "\n" : " ");
    END
    cout << "----------------" << endl;
END

void randomize()
{
    srand(time(0));
    FOR(i, N) FOR(j, N) h_a[i][j] = rand() % 2;
}

/*
void old_version(int *a)
{
    step<<<1, 1>>>(a, a);   // doesn't work
}
*/
#if 0
__global__ void broken(int *a) { a[threadIdx.x = 1; }
#endif

void cpu_step()
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            int n = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++)
                    if (di || dj) n += h_a[(i + di + N) % N][(j + dj + N) % N];
            if (h_a[i][j] == 1) {
                if (n < 2) h_b[i][j] = 0;
                else if (n == 2 || n == 3) h_b[i][j] = 1;
                else h_b[i][j] = 0;
            } else {
                if (n == 3) { h_b[i][j] = 1; } else { h_b[i][j] = 0; };
            }
        }
    }
};

int main()
{
    int choice, count = 0;
    cout << title << "\n1. naive\n2. shared\nchoice: ";
    cin >> choice;
    randomize();
    if (verbose) print_board(h_a);
    cudaMalloc(&d_a, BYTES);
    cudaMalloc(&d_b, BYTES);
    fill<<<1, N>>>(d_b, 0);
    cudaMemcpy(d_a, h_a, BYTES, cudaMemcpyHostToDevice);
    dim3 threads(T, T);
    dim3 blocks(N / T, N / T);
    for (int g = 0; g < generations; g++) {
        clock_t begin = clock();
        switch (choice) {
        case 1: step<<<blocks, threads>>>(d_a, d_b); break;
        case 2: step_shared<<<blocks, threads>>>(d_a, d_b); break;
        default: cout << "wrong choice!" << endl; return 1;
        }
        cudaDeviceSynchronize();
        total_time += double(clock() - begin) / CLOCKS_PER_SEC;
        swap(d_a, d_b);
        cpu_step();
        FOR(i, N) FOR(j, N) h_a[i][j] = h_b[i][j];
    }
    count_alive<<<4, 128>>>(d_a, d_b);
    cudaMemcpyFromSymbol(&count, alive, sizeof(int));
    PRINT(count);
    PRINT(total_time);
    usleep(1000);
    system("clear");
    return 0;
}
