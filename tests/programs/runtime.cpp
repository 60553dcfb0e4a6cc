// In place of CUDA's runtime, libcudart.so.13: records what a program registers, launches and asks of its symbols.
//
// What a program registers is looked up in the cubin that it registers. There is no GPU: kernels do not run, memory is the host's,
// and handles and addresses are the same in every run. The record goes to the file that WEFT_RECORD names.
#include <elf.h>
#include <sys/mman.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

namespace {

struct Kernel {
    std::string name;
    /// The size of each parameter in bytes.
    std::map<int, size_t> params;
    cudaFuncAttributes attributes = {};
};

struct Variable {
    std::string name;
    size_t size = 0;
    void *address = nullptr;
};

/// A registered fat binary.
struct Image {
    std::map<std::string, Kernel> kernels;
    std::map<std::string, size_t> variables;
    bool is_linked = false;
};

struct Configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};

// Objects register themselves before this file's own variables are initialized.
template <class T> T &global()
{
    static T value;
    return value;
}

std::map<const void *, Kernel> &kernels() { return global<std::map<const void *, Kernel>>(); }
std::map<const void *, Variable> &variables() { return global<std::map<const void *, Variable>>(); }
std::vector<Configuration> &configurations() { return global<std::vector<Configuration>>(); }

FILE *record()
{
    static FILE *file = fopen(getenv("WEFT_RECORD"), "w");
    return file;
}

/// A line of the record.
__attribute__((format(printf, 1, 2))) void line(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(record(), format, list);
    va_end(list);
    fputc('\n', record());
    fflush(record());
}

/// Memory at the same address in every run.
void *allocate(size_t size)
{
    static char *next = (char *)mmap((void *)0x700000000000, 1 << 30, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    char *address = next;
    next += (size + 255) / 256 * 256;
    return address;
}

/// The parameters of a kernel, from its section `.nv.info.KERNEL`.
std::map<int, size_t> params(const char *info, size_t size)
{
    std::map<int, size_t> all;
    for (size_t at = 0; at + 4 <= size;) {
        const unsigned char *head = (const unsigned char *)info + at;
        unsigned short length = head[0] == 4 ? head[2] | head[3] << 8 : 0;
        unsigned short ordinal;
        unsigned word;
        if (head[0] == 4 && (head[1] == 0x17 || head[1] == 0x45)) {
            memcpy(&ordinal, head + 8, 2);
            memcpy(&word, head + 12, 4);
            all[ordinal] = head[1] == 0x17 ? word >> 18 : word;
        }
        at += 4 + length;
    }
    return all;
}

void read_cubin(Image &image, const char *cubin)
{
    auto header = (const Elf64_Ehdr *)cubin;
    auto sections = (const Elf64_Shdr *)(cubin + header->e_shoff);
    const char *names = cubin + sections[header->e_shstrndx].sh_offset;
    for (int i = 0; i < header->e_shnum; i++) {
        const char *name = names + sections[i].sh_name;
        if (!strncmp(name, ".nv.info.", 9)) {
            Kernel &kernel = image.kernels[name + 9];
            kernel.name = name + 9;
            kernel.params = params(cubin + sections[i].sh_offset, sections[i].sh_size);
        }
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        auto symbol = (const Elf64_Sym *)(cubin + sections[i].sh_offset);
        const char *strings = cubin + sections[sections[i].sh_link].sh_offset;
        for (size_t n = sections[i].sh_size / sizeof *symbol; n; n--, symbol++)
            if (ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT) image.variables[strings + symbol->st_name] = symbol->st_size;
    }
}

void read_fat_binary(Image &image, const char *at)
{
    unsigned long long size;
    memcpy(&size, at + 8, 8);
    const char *end = at + 16 + size;
    for (at += 16; at < end;) {
        unsigned short kind;
        unsigned head;
        unsigned long long content, flags;
        memcpy(&kind, at, 2);
        memcpy(&head, at + 4, 4);
        memcpy(&content, at + 8, 8);
        memcpy(&flags, at + 40, 8);
        if (kind == 2 && !(flags & 0xa000)) read_cubin(image, at + head);
        at += head + content;
    }
}

/// A kernel as a host function or as a handle.
Kernel &kernel_of(const void *host)
{
    auto found = kernels().find(host);
    if (found != kernels().end()) return found->second;
    line("an unknown kernel");
    exit(1);
}

Variable &variable_of(const void *host)
{
    auto found = variables().find(host);
    if (found != variables().end()) return found->second;
    line("an unknown variable");
    exit(1);
}

std::string hex(const void *bytes, size_t size)
{
    std::string text;
    char two[3];
    unsigned long hash = 5381;
    for (size_t i = 0; i < size; i++) {
        hash = hash * 33 + ((const unsigned char *)bytes)[i];
        snprintf(two, sizeof two, "%02x", ((const unsigned char *)bytes)[i]);
        if (size <= 64) text += two;
    }
    return size <= 64 ? text : std::to_string(size) + " bytes " + std::to_string(hash);
}

std::string arguments_of(const Kernel &kernel, void **arguments)
{
    std::string text;
    for (auto &[idx, size] : kernel.params) text += " " + hex(arguments[idx], size);
    return text;
}

std::string configuration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    char text[200];
    snprintf(text, sizeof text, "<%u %u %u> <%u %u %u> %zu %p:", grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, (void *)stream);
    return text;
}

cudaError_t launch(const char *how, const void *host, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    Kernel &kernel = kernel_of(host);
    line("%s %s %s%s", how, kernel.name.c_str(), configuration(grid, block, shared, stream).c_str(), arguments_of(kernel, arguments).c_str());
    return cudaSuccess;
}

struct Flags { int is_extern, is_constant, is_global; };

void add_variable(void **handle, const void *host, const char *name, size_t size, void *address, const char *what, Flags flags)
{
    Image &image = **(Image **)handle;
    auto found = image.variables.find(name);
    bool is_there = found != image.variables.end() && found->second == size;
    line("%s %s %zu, flags %d %d %d%s", what, name, size, flags.is_extern, flags.is_constant, flags.is_global,
         is_there ? "" : ", not so in the cubin");
    variables()[host] = {name, size, address};
}

} // namespace

extern "C" {

void **__cudaRegisterFatBinary(void *wrapper)
{
    struct Wrapper { int magic, version; const char *image; void **parts; } *fat = (Wrapper *)wrapper;
    if (fat->magic != 0x466243b1) line("no fat binary");
    Image *image = new Image;
    image->is_linked = fat->version == 2;
    read_fat_binary(*image, fat->image);
    line("fat binary, %s", image->is_linked ? "linked" : "whole");
    return (void **)new Image *(image);
}
void __cudaRegisterFatBinaryEnd(void **handle) { line("fat binary complete, %s", (**(Image **)handle).is_linked ? "linked" : "whole"); }
void __cudaUnregisterFatBinary(void **) { line("fat binary unregistered"); }
void __cudaRegisterFunction(void **handle, const char *host, char *, const char *name, int threads, void *, void *, void *, void *, int *)
{
    Image &image = **(Image **)handle;
    bool is_there = image.kernels.count(name);
    line("kernel %s %d%s", name, threads, is_there ? "" : ", not in the cubin");
    Kernel kernel = image.kernels[name];
    kernel.name = name;
    kernels()[host] = kernel;
}
void __cudaRegisterVar(void **handle, char *host, char *, const char *name, int ext, size_t size, int constant, int global)
{
    add_variable(handle, host, name, size, allocate(size), "variable", {ext, constant, global});
}
void __cudaRegisterManagedVar(void **handle, void **host, char *, const char *name, int ext, size_t size, int constant, int global)
{
    *host = allocate(size);
    add_variable(handle, host, name, size, *host, "managed variable", {ext, constant, global});
}
char __cudaInitModule(void **) { return 1; }
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    configurations().push_back({grid, block, shared, stream});
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    Configuration last = configurations().back();
    configurations().pop_back();
    *grid = last.grid, *block = last.block, *shared = last.shared;
    *(cudaStream_t *)stream = last.stream;
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
    *kernel = (cudaKernel_t)host;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    return launch("launch", kernel, grid, block, arguments, shared, stream);
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    return launch("launch", kernel, grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    return launch("cooperative launch", kernel, grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **arguments)
{
    std::string how = "launch";
    for (unsigned i = 0; i < config->numAttrs; i++) {
        how += " [" + std::to_string(config->attrs[i].id);
        auto &dim = config->attrs[i].val.clusterDim;
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
            how += " " + std::to_string(dim.x) + " " + std::to_string(dim.y) + " " + std::to_string(dim.z);
        else
            how += " " + std::to_string(config->attrs[i].val.cooperative);
        how += "]";
    }
    return launch(how.c_str(), kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream);
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel)
{
    line("attributes of %s", kernel_of(kernel).name.c_str());
    *attributes = kernel_of(kernel).attributes;
    attributes->maxThreadsPerBlock = 1024;
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value)
{
    line("attribute %d of %s is %d", attribute, kernel_of(kernel).name.c_str(), value);
    return cudaSuccess;
}
cudaError_t cudaFuncSetCacheConfig(const void *kernel, cudaFuncCache config)
{
    line("cache configuration of %s is %d", kernel_of(kernel).name.c_str(), config);
    return cudaSuccess;
}
cudaError_t cudaFuncGetName(const char **name, const void *kernel)
{
    *name = kernel_of(kernel).name.c_str();
    return cudaSuccess;
}
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel)
{
    line("function of %s", kernel_of(kernel).name.c_str());
    *function = (cudaFunction_t)kernel;
    return cudaSuccess;
}
cudaError_t cudaGetKernel(cudaKernel_t *handle, const void *kernel)
{
    line("handle of %s", kernel_of(kernel).name.c_str());
    *handle = (cudaKernel_t)kernel;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *kernel, int block, size_t shared, unsigned flags)
{
    line("occupancy of %s: %d %zu %u", kernel_of(kernel).name.c_str(), block, shared, flags);
    *n = 2048 / block;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *kernel, int block, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(n, kernel, block, shared, 0);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int n, int block)
{
    line("shared memory for %s: %d %d", kernel_of(kernel).name.c_str(), n, block);
    *bytes = 1024;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveClusters(int *n, const void *kernel, const cudaLaunchConfig_t *config)
{
    line("clusters of %s: %u", kernel_of(kernel).name.c_str(), config->blockDim.x);
    *n = 4;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *kernel, const cudaLaunchConfig_t *config)
{
    line("cluster size of %s: %u", kernel_of(kernel).name.c_str(), config->blockDim.x);
    *size = 8;
    return cudaSuccess;
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    line("address of %s", variable_of(symbol).name.c_str());
    *address = variable_of(symbol).address;
    return cudaSuccess;
}
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    line("size of %s", variable_of(symbol).name.c_str());
    *size = variable_of(symbol).size;
    return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, cudaMemcpyKind kind)
{
    Variable &to = variable_of(symbol);
    if (offset + size > to.size) return cudaErrorInvalidValue;
    memcpy((char *)to.address + offset, from, size);
    line("copy to %s + %zu, kind %d: %s", to.name.c_str(), offset, kind, hex(from, size).c_str());
    return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset, cudaMemcpyKind kind, cudaStream_t)
{
    return cudaMemcpyToSymbol(symbol, from, size, offset, kind);
}
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind)
{
    Variable &from = variable_of(symbol);
    if (offset + size > from.size) return cudaErrorInvalidValue;
    memcpy(to, (char *)from.address + offset, size);
    line("copy from %s + %zu, kind %d: %s", from.name.c_str(), offset, kind, hex(to, size).c_str());
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **address, size_t size)
{
    *address = allocate(size);
    return cudaSuccess;
}
cudaError_t cudaMallocManaged(void **address, size_t size, unsigned) { return cudaMalloc(address, size); }
cudaError_t cudaFree(void *) { return cudaSuccess; }
cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind)
{
    memcpy(to, from, size);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind kind, cudaStream_t) { return cudaMemcpy(to, from, size, kind); }
cudaError_t cudaMemset(void *to, int byte, size_t size)
{
    memset(to, byte, size);
    return cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
const char *cudaGetErrorString(cudaError_t error) { return error ? "error" : "no error"; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = 2048; break;
    case cudaDevAttrMaxThreadsPerBlock: *value = 1024; break;
    case cudaDevAttrWarpSize: *value = 32; break;
    default: *value = 1;
    }
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    static char *last;
    *stream = (cudaStream_t)++last;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }

// Nodes of graphs are recorded as they are added.
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned)
{
    *graph = (cudaGraph_t)1;
    return cudaSuccess;
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t, const cudaGraphNode_t *, size_t, const cudaKernelNodeParams *p)
{
    *node = (cudaGraphNode_t)1;
    return launch("node", p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, 0);
}
cudaError_t cudaGraphDestroy(cudaGraph_t) { return cudaSuccess; }
}
