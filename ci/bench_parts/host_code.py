#!/usr/bin/env python3
"""What host code around a kernel adds to a compilation: wall time to PTX of the kernel alone and with about 2,000 lines of C++ around it.

    ci/bench_parts/host_code.py WEFTC

The two take turns; figures are medians of 101 runs, and the difference is that of the medians. The target is 2 ms.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KERNEL = """
__global__ void scale(float *x, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= factor;
}
"""
# 25 lines, of which N replaces the number of the copy.
HOST = """
template <typename T> class BufferN : public Base<T> {
public:
    explicit BufferN(std::size_t n) : Base<T>(n), size_{n} { CHECK(cudaMalloc(&data_, n * sizeof(T))); }
    BufferN(const BufferN &) = delete;
    ~BufferN() { cudaFree(data_); }
    T &operator[](std::size_t i) { return host_.at(i); }
private:
    std::vector<T> host_;
    std::size_t size_;
    T *data_ = nullptr;
};
struct OptionsN {
    int width, height;
    std::string name() const { return "options" + std::to_string(width); }
};
static std::map<std::string, std::vector<int>> tableN = {{"a", {1, 2, 3}}, {"b", {4}}};
int runN(int argc, char **argv)
{
    BufferN<float> buffer(1 << 20);
    auto start = std::chrono::high_resolution_clock::now();
    std::sort(buffer.begin(), buffer.end(), [](const auto &a, const auto &b) { return a < b; });
    scale<<<(buffer.size() + 255) / 256, 256>>>(buffer.data(), 2.0f, buffer.size());
    std::cout << std::setprecision(3) << elapsed(start) << " ms" << std::endl;
    return argc > 1 ? std::atoi(argv[1]) : 0;
}
"""
HEADERS = ["algorithm", "chrono", "cstdlib", "iomanip", "iostream", "map", "string", "vector"]
N_COPIES = 80
N_RUNS = 101


def main():
    weftc = sys.argv[1]
    includes = "".join(f"#include <{name}>\n" for name in HEADERS)
    whole = includes + KERNEL + "".join(HOST.replace("N(", f"{n}(").replace("N ", f"{n} ").replace("N<", f"{n}<")
                                        for n in range(N_COPIES))
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for name, text in [("kernel alone", KERNEL), ("with host code", whole)]:
            files[name] = Path(folder) / f"{name.replace(' ', '_')}.cu"
            files[name].write_text(text)
        times = {name: [] for name in files}
        for _ in range(N_RUNS):
            for name, path in files.items():
                start = time.perf_counter()
                subprocess.run([weftc, str(path), "-o", f"{path}.ptx"], check=True)
                times[name].append(1000 * (time.perf_counter() - start))
    medians = {name: statistics.median(values) for name, values in times.items()}
    alone, both = medians.values()
    print("| | lines | ms |\n|---|---|---|")
    for (name, median), text in zip(medians.items(), [KERNEL, whole]):
        print(f"| {name} | {text.count(chr(10)):,} | {median:.2f} |")
    print(f"| difference | | {both - alone:.2f} |")


if __name__ == "__main__":
    main()
