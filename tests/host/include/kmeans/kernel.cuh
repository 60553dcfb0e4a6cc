// The kernels of the clustering program.
#ifndef _KMEANS_KERNEL_H_
#define _KMEANS_KERNEL_H_

#ifndef BLOCK_DELTA_REDUCE
#define BLOCK_DELTA_REDUCE 1
#endif

__constant__ float c_clusters[CLUSTERS_MAX * 4] = {0, 0, 1, 1, 2, 2, 3, 3, -1, 1, -2, 2};
__device__ unsigned int n_changed;

__global__ static void invert_mapping(float *input, float *output, int npoints, int nfeatures)
{
    int point_id = threadIdx.x + blockDim.x * blockIdx.x;
    if (point_id < npoints) {
        for (int i = 0; i < nfeatures; i++)
            output[point_id + npoints * i] = input[point_id * nfeatures + i];
    }
    return;
}

__global__ void kmeans_point(const float *features, int nfeatures, int npoints, int nclusters, int *membership, int *block_deltas)
{
    const unsigned int block_id = gridDim.x * blockIdx.y + blockIdx.x;
    const int point_id = block_id * blockDim.x * blockDim.y + threadIdx.x;
    int index = -1;
#if BLOCK_DELTA_REDUCE
    __shared__ int deltas[THREADS_PER_DIM * THREADS_PER_DIM];
    deltas[threadIdx.x] = 0;
#endif
    if (point_id < npoints) {
        float min_dist = FLT_MAX;
        for (int i = 0; i < nclusters; i++) {
            float ans = 0.0;
            for (int j = 0; j < nfeatures; j++) {
                const float diff = features[point_id + npoints * j] - c_clusters[i * nfeatures + j];
                ans += diff * diff;
            }
            if (ans < min_dist) {
                min_dist = ans;
                index = i;
            }
        }
        if (membership[point_id] != index) {
#if BLOCK_DELTA_REDUCE
            deltas[threadIdx.x] = 1;
#else
            atomicAdd(&n_changed, 1);
#endif
        }
        membership[point_id] = index;
    }
#if BLOCK_DELTA_REDUCE
    unsigned int threadids_participating = THREADS_PER_DIM * THREADS_PER_DIM / 2;
    for (; threadids_participating >= 1; threadids_participating /= 2) {
        __syncthreads();
        if (threadIdx.x < threadids_participating && threadIdx.x + threadids_participating < blockDim.x)
            deltas[threadIdx.x] += deltas[threadIdx.x + threadids_participating];
    }
    if (threadIdx.x == 0) {
        block_deltas[block_id] = deltas[0];
        atomicAdd(&n_changed, deltas[0]);
    }
#endif
}
#endif // #ifndef _KMEANS_KERNEL_H_
