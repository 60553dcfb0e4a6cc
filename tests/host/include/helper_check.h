// Helpers of samples, all for the host: error checks by overloads and a template, a timer, options of the command line.
#ifndef HELPER_CHECK_H_
#define HELPER_CHECK_H_

#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <chrono>
#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

#ifdef __DRIVER_TYPES_H__
static const char *errorName(cudaError_t error) { return cudaGetErrorName(error); }
#endif

template <typename T>
void check(T result, char const *const func, const char *const file, int const line)
{
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, static_cast<unsigned int>(result),
                errorName(result), func);
        exit(EXIT_FAILURE);
    }
}

#ifdef __DRIVER_TYPES_H__
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) lastError(msg, __FILE__, __LINE__)

inline void lastError(const char *message, const char *file, const int line)
{
    cudaError_t err = cudaGetLastError();
    if (cudaSuccess != err) {
        fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message,
                static_cast<int>(err), cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
}
#endif

#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif

inline int ftoi(float value) { return (value >= 0 ? static_cast<int>(value + 0.5) : static_cast<int>(value - 0.5)); }

class StopWatchInterface {
  public:
    StopWatchInterface() {}
    virtual ~StopWatchInterface() {}
    virtual void start() = 0;
    virtual void stop() = 0;
    virtual float getTime() = 0;
};

class StopWatch : public StopWatchInterface {
  public:
    StopWatch() : begin_(), total_(0.0f), running_(false) {}
    inline void start();
    inline void stop();
    inline float getTime() { return total_; }

  private:
    std::chrono::high_resolution_clock::time_point begin_;
    float total_;
    bool running_;
};

inline void StopWatch::start()
{
    begin_ = std::chrono::high_resolution_clock::now();
    running_ = true;
}

inline void StopWatch::stop()
{
    using namespace std::chrono;
    total_ += duration_cast<duration<float, std::milli>>(high_resolution_clock::now() - begin_).count();
    running_ = false;
}

inline bool sdkCreateTimer(StopWatchInterface **timer)
{
    *timer = reinterpret_cast<StopWatchInterface *>(new StopWatch);
    return *timer != NULL;
}

inline bool checkCmdLineFlag(const int argc, const char **argv, const char *string_ref)
{
    bool bFound = false;
    if (argc >= 1)
        for (int i = 1; i < argc; i++) {
            const char *string_argv = argv[i] + strspn(argv[i], "-");
            const char *equal_pos = strchr(string_argv, '=');
            int argv_length = static_cast<int>(equal_pos == 0 ? strlen(string_argv) : equal_pos - string_argv);
            if (argv_length == static_cast<int>(strlen(string_ref)) && !strncasecmp(string_argv, string_ref, argv_length))
                bFound = true;
        }
    return bFound;
}

template <class T>
inline bool getCmdLineArgumentValue(const int argc, const char **argv, const char *string_ref, T *value)
{
    bool bFound = false;
    for (int i = 1; i < argc; i++) {
        const char *equal = strchr(argv[i], '=');
        if (equal && std::string(argv[i] + 2, equal) == string_ref) *value = (T)atoi(equal + 1), bFound = true;
    }
    return bFound;
}

#endif  // HELPER_CHECK_H_
