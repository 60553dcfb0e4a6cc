// Many launches in several streams.
__global__ void produce(int *to, int seed);
__global__ void transform(const int *__restrict__ from, int *__restrict__ to, unsigned long long key);
__global__ void consume(const volatile int *from, const bool last);
int main()
{
    cudaStream_t streams[3];
    int *a[3], *b[3];
    for (int i = 0; i < 3; i++) {
        cudaStreamCreate(&streams[i]);
        cudaMalloc(&a[i], 1024);
        cudaMalloc(&b[i], 1024);
    }
    for (int round = 0; round < 4; round++)
        for (int i = 0; i < 3; i++) {
            produce<<<round + 1, 64, 0, streams[i]>>>(a[i], round * 10 + i);
            transform<<<dim3(1, round + 1), 64, 16 * i, streams[i]>>>(a[i], b[i], 1ull << (20 * i));
            consume<<<1, 64, 0, streams[i]>>>(b[i], round == 3);
        }
    for (auto stream : streams) cudaStreamSynchronize(stream);
}
