// Kernels of both compilers in a shared library.
// build: shared
void start(int n);
int main()
{
    for (int n = 1; n < 4; n++) start(n);
}
