// SHOC's style: sparse products in two formats, a class of results, C++ host templates that launch C-style kernels, textures left out.
//@ launch: spmv_csr_scalar grid=1 block=8
//@ arg: val=f32={1, 2, 3, 4, 5, 6, 7, 8, 9}
//@ arg: cols=i32={0, 2, 1, 0, 3, 4, 2, 4, 1}
//@ arg: rows=i32={0, 2, 3, 6, 7, 9}
//@ arg: vec=f32={0.5, 1.5, 2, -1, 3}
//@ arg: 5
//@ arg: out=f32[5]
//@ expect: out={4.5, 4.5, 15, 14, 37.5}
//@ launch: spmv_csr_vector grid=3 block=64
//@ arg: val=f64[180]=random(1)
//@ arg: cols=i32[180]=random(2, 0, 30)
//@ arg: rows=i32={0, 36, 72, 73, 140, 140, 180}
//@ arg: vec=f64[30]=random(3)
//@ arg: 6
//@ arg: out=f64[6]
//@ launch: spmv_ellpackr grid=1 block=8
//@ arg: val=f32[4,6]=random(4)
//@ arg: cols=i32[4,6]=random(5, 0, 6)
//@ arg: lengths=i32={4, 1, 0, 3, 2, 4}
//@ arg: vec=f32[6]=random(6)
//@ arg: 6
//@ arg: out=f32[6]
//@ launch: set_bytes grid=2 block=4
//@ arg: p=u8[37]=fill(9)
//@ arg: 37
//@ arg: 5
#include <algorithm>
#include <cassert>
#include <cfloat>
#include <cmath>
#include <iostream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using namespace std;

static const int WARP_SIZE = 32;
static const int BLOCK_SIZE = 64;
static const float MAX_RELATIVE_ERROR = .02f;

#define CUDA_SAFE_CALL(call)                                                                   \
    do {                                                                                       \
        cudaError err = call;                                                                  \
        if (cudaSuccess != err) {                                                              \
            cerr << "Cuda error in " << __FILE__ << ':' << __LINE__ << ": " << cudaGetErrorString(err) << endl; \
            exit(EXIT_FAILURE);                                                                \
        }                                                                                      \
    } while (0)

class ResultDatabase {
  public:
    struct Result {
        string test, atts, unit;
        vector<double> value;
        double GetMin() const { return *min_element(value.begin(), value.end()); }
        double GetMedian() const;
        bool operator<(const Result &rhs) const { return test != rhs.test ? test < rhs.test : atts < rhs.atts; }
    };
    void AddResult(const string &test, const string &atts, const string &unit, double value);
    const vector<Result> &GetResults() const { return results; }

  protected:
    vector<Result> results;
    friend ostream &operator<<(ostream &out, const ResultDatabase::Result &r);
};

ostream &operator<<(ostream &out, const ResultDatabase::Result &r)
{
    return out << r.test << "\t" << r.GetMedian() << r.unit;
}

double ResultDatabase::Result::GetMedian() const
{
    vector<double> v(value);
    nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
    return v.empty() ? FLT_MAX : v[v.size() / 2];
}

void ResultDatabase::AddResult(const string &test, const string &atts, const string &unit, double value)
{
    for (auto &r : results)
        if (r.test == test && r.atts == atts) return r.value.push_back(value);
    results.push_back(Result{test, atts, unit, {value}});
}

__global__ void spmv_csr_scalar(const float *__restrict__ val, const int *__restrict__ cols,
                                const int *__restrict__ rowDelimiters, const float *__restrict__ vec, const int dim,
                                float *__restrict__ out)
{
    int myRow = blockIdx.x * blockDim.x + threadIdx.x;
    if (myRow < dim) {
        float t = 0.0f;
        int start = rowDelimiters[myRow];
        int end = rowDelimiters[myRow + 1];
        for (int j = start; j < end; j++) t += val[j] * __ldg(&vec[cols[j]]);
        out[myRow] = t;
    }
}

__global__ void spmv_csr_vector(const double *val, const int *cols, const int *rowDelimiters, const double *vec,
                                const int dim, double *out)
{
    int t = threadIdx.x;
    int id = t & (WARP_SIZE - 1);
    int warpsPerBlock = blockDim.x / WARP_SIZE;
    int myRow = (blockIdx.x * warpsPerBlock) + (t / WARP_SIZE);
    __shared__ volatile double partialSums[BLOCK_SIZE];
    if (myRow < dim) {
        int warpStart = rowDelimiters[myRow], warpEnd = rowDelimiters[myRow + 1];
        double mySum = 0;
        for (int j = warpStart + id; j < warpEnd; j += WARP_SIZE) mySum += val[j] * vec[cols[j]];
        partialSums[t] = mySum;
        for (int half = 16; half > 0; half /= 2) {
            __syncwarp();
            if (id < half) partialSums[t] += partialSums[t + half];
        }
        if (id == 0) out[myRow] = partialSums[t];
    }
}

__global__ void spmv_ellpackr(const float *val, const int *cols, const int *rowLengths, const float *vec, const int dim,
                              float *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < dim) {
        float result = 0.0f;
        int max = rowLengths[t];
        for (int i = 0; i < max; i++) {
            int ind = i * dim + t;
            result += val[ind] * __ldg(vec + cols[ind]);
        }
        out[t] = result;
    }
}

__global__ void set_bytes(unsigned char *p, int n, unsigned char value)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = value;
}

template <typename floatType>
bool verifyResults(const floatType *cpuResults, const floatType *gpuResults, const int size, const int pass = -1)
{
    const bool passed = inner_product(cpuResults, cpuResults + size, gpuResults, true, logical_and<bool>(),
                                      [](floatType a, floatType b) { return fabs(a - b) / a <= MAX_RELATIVE_ERROR; });
    if (pass != -1) cout << "Pass " << pass << ": " << (passed ? "Passed" : "---FAILED---") << endl;
    return passed;
}

template <typename T> struct Kernel;
template <> struct Kernel<float> {
    static void launch(const float *v, const int *c, const int *r, const float *x, int n, float *y)
    {
        spmv_csr_scalar<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(v, c, r, x, n, y);
    }
};
template <> struct Kernel<double> {
    static void launch(const double *v, const int *c, const int *r, const double *x, int n, double *y)
    {
        const int rows = BLOCK_SIZE / WARP_SIZE;
        spmv_csr_vector<<<(n + rows - 1) / rows, BLOCK_SIZE>>>(v, c, r, x, n, y);
    }
};

template <typename T> void csrTest(ResultDatabase &resultDB, vector<T> &h_val, vector<int> &h_cols, vector<int> &h_rows)
{
    const int n = static_cast<int>(h_rows.size()) - 1;
    T *d_val, *d_vec, *d_out;
    int *d_cols, *d_rows;
    float elapsed;
    cudaEvent_t start, stop;
    CUDA_SAFE_CALL(cudaMalloc(&d_val, h_val.size() * sizeof(T)));
    CUDA_SAFE_CALL(cudaMalloc(&d_vec, n * sizeof(T)));
    CUDA_SAFE_CALL(cudaMalloc(&d_out, n * sizeof(T)));
    CUDA_SAFE_CALL(cudaMalloc((void **)&d_cols, h_cols.size() * sizeof(int)));
    CUDA_SAFE_CALL(cudaMalloc((void **)&d_rows, h_rows.size() * sizeof(int)));
    CUDA_SAFE_CALL(cudaEventCreate(&start));
    CUDA_SAFE_CALL(cudaEventCreate(&stop));
    cudaEventRecord(start, 0);
    set_bytes<<<8, 128>>>((unsigned char *)d_out, n * sizeof(T), 0);
    Kernel<T>::launch(d_val, d_cols, d_rows, d_vec, n, d_out);
    if (sizeof(T) == sizeof(float)) spmv_ellpackr<<<1, 64>>>((float *)d_val, d_cols, d_rows, (float *)d_vec, n, (float *)d_out);
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&elapsed, start, stop);
    resultDB.AddResult(string("CSR-") + (sizeof(T) == 4 ? "SP" : "DP"), to_string(n), "ms", elapsed);
    cudaFree(d_val);
}

int main(int argc, char **argv)
{
    ResultDatabase db;
    map<string, int> options{{"passes", 10}, {"size", 1}};
    vector<int> cols(4), rows(3);
    vector<float> singles(4);
    vector<double> doubles(4, 1.0);
    for (int pass = 0; pass < options["passes"]; ++pass) {
        csrTest<float>(db, singles, cols, rows);
        csrTest(db, doubles, cols, rows);
    }
    for (const auto &result : db.GetResults()) cout << result << '\n';
    return !verifyResults(singles.data(), &singles[0], 4);
}
