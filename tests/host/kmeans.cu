// Rodinia's style in several files: kernels in an included file, headers with guards, a header included once for each type, `-I`.
//@ args: -Iinclude/kmeans
//@ launch: invert_mapping grid=2 block=16
//@ arg: f32[20,3]=random(1)
//@ arg: output=f32[3,20]
//@ arg: 20
//@ arg: 3
//@ launch: kmeans_point grid=1,2 block=32
//@ arg: f32[2,50]=random(2, -3, 3)
//@ arg: 2
//@ arg: 50
//@ arg: 6
//@ arg: membership=i32[50]=fill(-1)
//@ arg: deltas=i32[2]
//@ expect: deltas={32, 18}
//@ read: n_changed
//@ launch: axpy_float grid=1 block=32
//@ arg: f32:0.5
//@ arg: f32[40]=iota
//@ arg: y=f32[40]=ones
//@ arg: 40
//@ launch: axpy_double grid=2 block=32
//@ arg: f64:-2
//@ arg: f64[40]=iota
//@ arg: y=f64[40]=ones
//@ arg: 40
#include <kmeans.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>

#ifdef WIN
#include <windows.h>
#else
#include <pthread.h>
double gettime()
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return t.tv_sec + t.tv_usec * 1e-6;
}
#endif

#define BLOCK_DELTA_REDUCE 1
#include "kernel.cuh"
#include "kernel.cuh" // guarded

#define REAL float
#include "axpy.h"
#define REAL double
#include "axpy.h"

#ifdef NV
extern char unused_when_not_defined;
#endif

unsigned int num_threads_perdim = THREADS_PER_DIM;
unsigned int num_blocks_perdim = 256;
/* kernel uses; global variables are shared by the steps below */
float *feature_flipped_d, *feature_d;
int *membership_d, *block_deltas_d, (*membership_h)[CLUSTERS_MAX];
static dataset_t dataset, *const the_dataset = &dataset;
static struct option_t {
    const char *name;
    char letter;
    union { int i; float f; } value;
} options[] = {{"clusters", 'm', {5}}, {"threshold", 't', {0}}, {NULL}};
extern "C" { int n_iterations = 0; static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; }

extern "C" double wtime(void) { return gettime(); }

/* -------------- allocate, invert, copy -------------- */
extern "C" void allocateMemory(int npoints, int nfeatures, int nclusters, float **features)
{
    const size_t bytes = npoints * nfeatures * sizeof(float);
    num_blocks_perdim = (int)sqrt((double)npoints / (num_threads_perdim * num_threads_perdim)) + 1;
    CHECKED(cudaMalloc((void **)&feature_flipped_d, bytes));
    CHECKED(cudaMalloc((void **)&feature_d, bytes));
    CHECKED(cudaMalloc((void **)&membership_d, npoints * sizeof(int)));
    CHECKED(cudaMalloc((void **)&block_deltas_d, num_blocks_perdim * num_blocks_perdim * sizeof(int)));
    CHECKED(cudaMemcpy(feature_flipped_d, features[0], bytes, cudaMemcpyHostToDevice));
    invert_mapping<<<npoints / 256 + 1, 256>>>(feature_flipped_d, feature_d, npoints, nfeatures);
}

extern "C"
#ifdef __CUDACC__
int // delta -- had problems when return value was of float type
#else
float
#endif
kmeansCuda(dataset_t *data, float *clusters)
{
    const dim3 grid(num_blocks_perdim, num_blocks_perdim), threads(num_threads_perdim * num_threads_perdim);
    unsigned delta = 0;
    CHECKED(cudaMemcpyToSymbol(c_clusters, clusters, data->n_clusters * data->n_features * sizeof(float)));
    CHECKED(cudaMemcpyToSymbol(n_changed, &delta, sizeof delta));
    kmeans_point<<<grid, threads>>>(feature_d, data->n_features, data->n_points, data->n_clusters, membership_d, block_deltas_d);
    CHECKED(cudaMemcpyFromSymbol(&delta, n_changed, sizeof(delta), 0, cudaMemcpyDeviceToHost));
    CHECKED(cudaMemcpy(data->membership, membership_d, data->n_points * sizeof(int), cudaMemcpyDeviceToHost));
    return delta;
}

int cluster(dataset_t *data, float threshold, float **centers, float *best_rmse, int is_rmse)
{
    int counts[CLUSTERS_MAX] = {0}, delta;
    do {
        pthread_mutex_lock(&mutex);
        n_iterations++;
        pthread_mutex_unlock(&mutex);
        delta = kmeansCuda(data, data->clusters);
        memset(data->clusters, 0, sizeof(float) * data->n_clusters * data->n_features);
        for (int i = 0; i < data->n_points; i++) {
            const int c = data->membership[i];
            counts[c]++;
            for (int j = 0; j < data->n_features; j++)
                data->clusters[c * data->n_features + j] += data->points[i * data->n_features + j];
        }
        for (int c = 0; c < data->n_clusters; c++)
            for (int j = 0; j < data->n_features && counts[c] > 0; j++) data->clusters[c * data->n_features + j] /= counts[c];
    } while (delta > threshold && n_iterations < 500);
    if (is_rmse)
        *best_rmse = 0;
    *centers = data->clusters;
    return n_iterations;
}

void kmeans_release(dataset_t *data)
{
    cudaFree(feature_d), cudaFree(feature_flipped_d), cudaFree(membership_d), cudaFree(block_deltas_d);
    free(data->points), free(data->clusters), free(data->membership);
}

int main(int argc, char **argv)
{
    dataset_t *data = the_dataset;
    float *centers, rmse = 0, *rows[1];
    for (int i = 1; i + 1 < argc; i += 2)
        for (struct option_t *o = options; o->name; o++)
            if (argv[i][0] == '-' && argv[i][1] == o->letter) o->value.i = atoi(argv[i + 1]);
    data->n_points = 1 << 14, data->n_features = 4, data->n_clusters = options[0].value.i;
    data->points = (float *)malloc(data->n_points * data->n_features * sizeof(float));
    data->clusters = (float *)calloc(data->n_clusters * data->n_features, sizeof(float));
    data->membership = (int *)malloc(data->n_points * sizeof(int));
    for (int i = 0; i < data->n_points * data->n_features; i++) data->points[i] = rand() / (float)RANDOM_MAX;
    rows[0] = data->points;
    allocateMemory(data->n_points, data->n_features, data->n_clusters, rows);
    const double started = wtime();
    const int steps = cluster(data, 1.0f, &centers, &rmse, true);
    printf("%d steps in %.3f s, first at %g\n", steps, wtime() - started, centers[0]);
    CHECKED(launch_axpy_float(-1.0f, feature_d, feature_flipped_d, data->n_points));
    CHECKED(launch_axpy_double(1, NULL, NULL, 0));
    kmeans_release(data);
    return 0;
}
