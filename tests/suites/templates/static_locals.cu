// Each instance has `static` variables of its own.
template <class T> __device__ int counted(T step)
{
    static int n = sizeof(T) * 100;
    n += step;
    return n;
}
template <int N> __device__ int *slot()
{
    static int place[N];
    return place;
}
template <int N> __device__ int of_table(int i)
{
    static const int table[4] = {N, N * 2, N * 3, N * 4};
    return table[i & 3];
}
template <class T> __device__ T last(T a)
{
    static T before;
    T result = before;
    before = a;
    return result;
}

extern "C" __global__ void test(int *out)
{
    out[0] = counted(1);
    out[1] = counted(1);
    out[2] = counted((char)1);
    out[3] = counted(1);
    out[4] = slot<1>() == slot<1>();
    out[5] = (void *)slot<1>() == (void *)slot<2>();
    *slot<1>() = 5;
    out[6] = *slot<1>() + *slot<2>();
    out[7] = of_table<7>(2);
    out[8] = of_table<1>(*out);
    last(4.5f);
    out[9] = (int)(last(0.0f) * 10) + last(3);
}
