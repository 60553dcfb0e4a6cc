// A destructor is no template.
// clang: 4:35
struct S {
    template <class T> __device__ ~S() {}
};
