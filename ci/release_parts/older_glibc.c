/* Defines for `weftc` what the libraries that are linked statically take from a glibc newer than 2.28.
 *
 * In: objects compiled with the headers of a newer glibc, Debian's LLVM and libstdc++ among them. Out: definitions that
 * use functions of glibc 2.28 alone; glibc.py links them into the program. They behave like the newer glibc's.
 *
 * Weak references of Rust's standard library (gettid, posix_spawn_file_actions_addchdir_np) need no definition: the
 * library does without.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>

/* 2.34: before, the startup code of each program called its own constructors, and glibc still leaves them to a program that
 * passes a function for it. Today's startup code passes none. The linker renames its call (--wrap). */

typedef void constructor(int, char **, char **);
typedef int main_function(int, char **, char **);

extern constructor *__init_array_start[], *__init_array_end[];
extern void _init(void);
extern int __real___libc_start_main(main_function *, int, char **, constructor *, void (*)(void), void (*)(void), void *);

static void call_constructors(int argc, char **argv, char **environment)
{
    _init();
    for (constructor **each = __init_array_start; each != __init_array_end; each++)
        (*each)(argc, argv, environment);
}

int __wrap___libc_start_main(main_function *main, int argc, char **argv, constructor *init, void (*fini)(void),
                             void (*rtld_fini)(void), void *stack_end)
{
    return __real___libc_start_main(main, argc, argv, init ? init : call_constructors, fini, rtld_fini, stack_end);
}

/* 2.33: before, these were inline functions that pass the version of the struct. */

#ifdef __x86_64__
#define STAT_VERSION 1
#else
#define STAT_VERSION 0
#endif

extern int __xstat(int, const char *, struct stat *);
extern int __fxstat(int, int, struct stat *);
extern int __lxstat(int, const char *, struct stat *);
extern int __fxstatat(int, int, const char *, struct stat *, int);
extern int __xstat64(int, const char *, struct stat64 *);
extern int __fxstat64(int, int, struct stat64 *);
extern int __lxstat64(int, const char *, struct stat64 *);
extern int __fxstatat64(int, int, const char *, struct stat64 *, int);

int stat(const char *path, struct stat *result) { return __xstat(STAT_VERSION, path, result); }
int fstat(int file, struct stat *result) { return __fxstat(STAT_VERSION, file, result); }
int lstat(const char *path, struct stat *result) { return __lxstat(STAT_VERSION, path, result); }
int fstatat(int folder, const char *path, struct stat *result, int flags)
{
    return __fxstatat(STAT_VERSION, folder, path, result, flags);
}
int stat64(const char *path, struct stat64 *result) { return __xstat64(STAT_VERSION, path, result); }
int fstat64(int file, struct stat64 *result) { return __fxstat64(STAT_VERSION, file, result); }
int lstat64(const char *path, struct stat64 *result) { return __lxstat64(STAT_VERSION, path, result); }
int fstatat64(int folder, const char *path, struct stat64 *result, int flags)
{
    return __fxstatat64(STAT_VERSION, folder, path, result, flags);
}

/* 2.33: mallinfo with wider members. */
struct mallinfo2 mallinfo2(void)
{
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    struct mallinfo narrow = mallinfo();
    return (struct mallinfo2){
        .arena = (unsigned)narrow.arena,
        .ordblks = (unsigned)narrow.ordblks,
        .smblks = (unsigned)narrow.smblks,
        .hblks = (unsigned)narrow.hblks,
        .hblkhd = (unsigned)narrow.hblkhd,
        .usmblks = (unsigned)narrow.usmblks,
        .fsmblks = (unsigned)narrow.fsmblks,
        .uordblks = (unsigned)narrow.uordblks,
        .fordblks = (unsigned)narrow.fordblks,
        .keepcost = (unsigned)narrow.keepcost,
    };
}

/* 2.32: whether the process has one thread. libstdc++ then counts references without atomic operations; "no" is always right. */
char __libc_single_threaded = 0;

/* 2.36. Like glibc's, it has no way to report that there is no randomness, and ends the process. */
uint32_t arc4random(void)
{
    uint32_t value;
    if (getentropy(&value, sizeof value) != 0)
        abort();
    return value;
}

/* 2.35: where the code at an address is loaded, and its tables for unwinding. libgcc asks for each frame of an exception or panic,
 * and takes an answer other than 0 for the end of the stack. */

struct search {
    ElfW(Addr) address;
    struct dl_find_object *result;
};

static int contains(struct dl_phdr_info *object, size_t size, void *data)
{
    struct search *search = data;
    ElfW(Addr) start = UINTPTR_MAX, end = 0, tables = 0;
    int found = 0;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        ElfW(Addr) first = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_GNU_EH_FRAME) {
            tables = first;
        } else if (segment->p_type == PT_LOAD) {
            start = first < start ? first : start;
            end = first + segment->p_memsz > end ? first + segment->p_memsz : end;
            found |= first <= search->address && search->address < first + segment->p_memsz;
        }
    }
    if (!found || tables == 0)
        return 0;
    *search->result = (struct dl_find_object){
        .dlfo_map_start = (void *)start,
        .dlfo_map_end = (void *)end,
        .dlfo_eh_frame = (void *)tables,
    };
    return 1;
}

int _dl_find_object(void *address, struct dl_find_object *result)
{
    struct search search = {(ElfW(Addr))address, result};
    return dl_iterate_phdr(contains, &search) ? 0 : -1;
}
