#include "point.h"
__global__ void step(Point *points, Point by, int n)
{
    int i = threadIdx.x;
    if (i < n) points[i].x += by.x;
}
