// n-body as a template of the number type, with a struct that depends on it and explicit specializations of traits.
#include <math.h>
#include <vector>
namespace nbody {
__constant__ float softeningSquared;
template <bool MULTITHREAD> __global__ void integrate(float4 *newPos, const float4 *oldPos, float4 *vel, unsigned n, float dt)
{
    __shared__ float4 shared[256];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = oldPos[i];
    float ax = 0, ay = 0;
    for (unsigned tile = 0; tile < n / 256; tile++) {
        shared[threadIdx.x] = oldPos[tile * 256 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++) { ax += shared[j].x - p.x; ay += shared[j].y - p.y; }
        __syncthreads();
    }
    vel[i].x += ax * dt;
    vel[i].y += ay * dt;
    newPos[i] = p;
}
template <typename T> __global__ void energy(const T *pos, double *out, int n) { if (n > 0) atomicAdd(out, (double)pos[threadIdx.x].x); }
struct DeviceData {
    float4 *dPos[2];
    float4 *dVel;
    cudaEvent_t event;
    unsigned int offset, numBodies;
};
void integrateNbodySystem(DeviceData *deviceData, unsigned int currentRead, float deltaTime, unsigned int numDevices, int blockSize)
{
    if (numDevices > 1) {
        for (unsigned int dev = 0; dev != numDevices; dev++) {
            cudaSetDevice(dev);
            integrate<true><<<deviceData[dev].numBodies / blockSize, blockSize>>>(deviceData[dev].dPos[1 - currentRead],
                deviceData[dev].dPos[currentRead], deviceData[dev].dVel, deviceData[dev].numBodies, deltaTime);
        }
    } else {
        integrate<false><<<1, blockSize>>>(deviceData[0].dPos[1 - currentRead], deviceData[0].dPos[currentRead],
                                           deviceData[0].dVel, deviceData[0].numBodies, deltaTime);
    }
    double *d_energy = nullptr;
    energy<<<1, 256>>>(deviceData->dPos[currentRead], d_energy, 256);
    energy<<<1, 256>>>((double4_16a *)nullptr, d_energy, 0);
}
}
using namespace nbody;
int main()
{
    std::vector<DeviceData> data(2);
    integrateNbodySystem(data.data(), 0, 0.1f, 2, 256);
    integrate<false><<<1, 1>>>(data[0].dPos[1], data[0].dPos[0], data[0].dVel, 1, 0.1f);
}
