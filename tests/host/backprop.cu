// Rodinia's style: a small neural network in C, 2-D matrices behind pointers to rows, one layer of it on the device.
//@ launch: layer_forward grid=1,2 block=16,16
//@ arg: f32[33]=fill(0.5)
//@ arg: f32[33,17]=random(3, -1, 1)
//@ arg: partial=f32[2,16]
//@ arg: 16
//@ launch: adjust_weights grid=1,2 block=16,16
//@ arg: f32[17]=random(5, -1, 1)
//@ arg: 16
//@ arg: f32[33]=random(6)
//@ arg: 32
//@ arg: w=f32[33,17]=random(7, -1, 1)
//@ arg: old=f32[33,17]=random(8, -1, 1)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ETA 0.3f
#define MOMENTUM 0.3f
#define WIDTH 16
#define HEIGHT 16
#define ABS(x) (((x) > 0.0) ? (x) : (-(x)))
#define fastcopy(to, from, len)                                  \
    {                                                            \
        char *_to = (char *)(to);                       \
        const char *_from = (const char *)(from);       \
        for (int _i = 0, _l = (len); _i < _l; _i++) *_to++ = *_from++; \
    }

typedef struct {
    int input_n, hidden_n, output_n;
    float *input_units, *hidden_units, *output_units;
    float *hidden_delta, *output_delta, *target;
    float **input_weights, **hidden_weights;
    float **input_prev_weights, **hidden_prev_weights;
} BPNN;

extern "C" {
float squash(float x);
void bpnn_initialize(int seed);
BPNN *bpnn_create(int n_in, int n_hidden, int n_out);
}

int layer_size = 0;
static unsigned long calls;

__global__ void layer_forward(const float *input, const float *weights, float *partial, int hid)
{
    __shared__ float input_node[HEIGHT];
    __shared__ float weight_matrix[HEIGHT][WIDTH];
    int by = blockIdx.y;
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int index = (hid + 1) * HEIGHT * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_in = HEIGHT * by + ty + 1;

    if (tx == 0) input_node[ty] = input[index_in];
    __syncthreads();
    weight_matrix[ty][tx] = weights[index] * input_node[ty];
    __syncthreads();
    for (int i = 1; i <= 4; i++) {
        int power_two = 1 << i;
        if (ty % power_two == 0) weight_matrix[ty][tx] += weight_matrix[ty + power_two / 2][tx];
        __syncthreads();
    }
    if (ty == 0) partial[by * hid + tx] = weight_matrix[0][tx];
}

__global__ void adjust_weights(const float *delta, int hid, const float *ly, int in, float *w, float *oldw)
{
    int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index_y = HEIGHT * by + ty + 1;
    int index_x = tx + 1;
    int index = (hid + 1) * index_y + index_x;
    if (index_y > in) return;
    float change = ETA * delta[index_x] * ly[index_y] + MOMENTUM * oldw[index];
    w[index] += change;
    oldw[index] = change;
    __syncthreads();
    if (ty == 0 && by == 0) {
        w[index_x] += ETA * delta[index_x] + MOMENTUM * oldw[index_x];
        oldw[index_x] = ETA * delta[index_x] + MOMENTUM * oldw[index_x];
    }
}

float squash(float x)
{
    calls++;
    return (1.0 / (1.0 + exp(-x)));
}

static float drnd() { return ((float)rand() / (float)RAND_MAX); }

static float **alloc_2d_dbl(int m, int n)
{
    float **rows = (float **)malloc((unsigned)(m * sizeof(float *)));
    if (rows == NULL) {
        printf("ALLOC_2D_DBL: Couldn't allocate array of dbl ptrs\n");
        return (NULL);
    }
    for (int i = 0; i < m; i++) {
        rows[i] = (float *)calloc(n, sizeof(float));
        for (int j = 0; j < n; j++) rows[i][j] = 2 * drnd() - 1;
    }
    return (rows);
}

void bpnn_initialize(int seed)
{
    printf("Random number generator seed: %d\n", seed);
    srand(seed);
}

BPNN *bpnn_create(int n_in, int n_hidden, int n_out)
{
    BPNN *net = (BPNN *)calloc(1, sizeof(BPNN));
    net->input_n = n_in, net->hidden_n = n_hidden, net->output_n = n_out;
    net->input_units = (float *)calloc(n_in + 1, sizeof(float));
    net->hidden_units = (float *)calloc(n_hidden + 1, sizeof(float));
    net->hidden_delta = (float *)calloc(n_hidden + 1, sizeof(float));
    net->input_weights = alloc_2d_dbl(n_in + 1, n_hidden + 1);
    net->input_prev_weights = alloc_2d_dbl(n_in + 1, n_hidden + 1);
    return net;
}

static void train(BPNN *net, float *eo)
{
    int in = net->input_n, hid = net->hidden_n, k, j, blocks = in / 16;
    size_t bytes = (in + 1) * (hid + 1) * sizeof(float);
    float *flat = (float *)malloc(bytes), *input_cuda, *weights_cuda, *sum_cuda, *delta_cuda, *prev_cuda, sum;
    for (k = 0; k <= in; k++) fastcopy(flat + k * (hid + 1), net->input_weights[k], (hid + 1) * sizeof(float));
    cudaMalloc((void **)&input_cuda, (in + 1) * sizeof(float));
    cudaMalloc((void **)&weights_cuda, bytes);
    cudaMalloc((void **)&prev_cuda, bytes);
    cudaMalloc((void **)&delta_cuda, (hid + 1) * sizeof(float));
    cudaMalloc((void **)&sum_cuda, blocks * WIDTH * sizeof(float));
    cudaMemcpy(weights_cuda, flat, bytes, cudaMemcpyHostToDevice);
    dim3 grid(1, blocks), threads(16, 16);
    layer_forward<<<grid, threads>>>(input_cuda, weights_cuda, sum_cuda, hid);
    cudaDeviceSynchronize();
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("bpnn kernel error: %s\n", cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
    float *partial_sum = (float *)malloc(blocks * WIDTH * sizeof(float));
    cudaMemcpy(partial_sum, sum_cuda, blocks * WIDTH * sizeof(float), cudaMemcpyDeviceToHost);
    for (j = 1, *eo = 0; j <= hid; j++) {
        for (k = 0, sum = 0.0; k < blocks; k++) sum += partial_sum[k * hid + j - 1];
        net->hidden_units[j] = squash(sum + net->input_weights[0][j]);
        *eo += ABS(net->hidden_units[j]);
    }
    cudaMemcpy(delta_cuda, net->hidden_delta, (hid + 1) * sizeof(float), cudaMemcpyHostToDevice);
    adjust_weights<<<grid, threads>>>(delta_cuda, hid, input_cuda, in, weights_cuda, prev_cuda);
    cudaFree(input_cuda); cudaFree(weights_cuda); cudaFree(prev_cuda); cudaFree(delta_cuda); cudaFree(sum_cuda);
    free(flat); free(partial_sum);
}

int main(int argc, char *argv[])
{
    float error;
    if (argc != 2) {
        fprintf(stderr, "usage: backprop <num of input elements>\n");
        exit(0);
    }
    layer_size = atoi(argv[1]);
    if (layer_size % 16 != 0) {
        fprintf(stderr, "The number of input points must be divided by 16\n");
        exit(0);
    }
    bpnn_initialize(7);
    BPNN *net = bpnn_create(layer_size, 16, 1);
    train(net, &error);
    printf("Training done after %lu calls, error %g\n", calls, error);
    return 0;
}
