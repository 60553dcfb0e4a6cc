// What the parts of the clustering program share.
#ifndef _H_KMEANS
#define _H_KMEANS

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef FLT_MAX
#define FLT_MAX 3.40282347e+38
#endif
#define RANDOM_MAX 2147483647
#define THREADS_PER_DIM 16
#define CLUSTERS_MAX 8
#define CHECKED(x) checked((x), __FILE__, __LINE__, #x)

typedef struct {
    float *points, *clusters; /* [n][n_features] */
    int *membership;
    int n_points, n_features, n_clusters;
} dataset_t;

#ifdef __cplusplus
extern "C" {
#endif
extern int n_iterations;
int cluster(dataset_t *data, float threshold, float **centers, float *best_rmse, int is_rmse);
void kmeans_release(dataset_t *);
float **kmeans_clustering(float **, int nfeatures, int npoints, int nclusters, float threshold, int *membership);
double wtime(void);
#ifdef __cplusplus
}
#endif

static inline void checked(cudaError_t error, const char *file, int line, const char *what)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s(%d): %s: %s\n", file, line, what, cudaGetErrorString(error));
    exit(-1);
}

#endif
