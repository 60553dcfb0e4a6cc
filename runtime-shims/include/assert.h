/* Assertions (C17 7.2). No guard: what `assert` is depends on `NDEBUG` at each include. */
#undef assert
#undef assert_perror
#ifdef NDEBUG
#define assert(condition) (static_cast<void>(0))
#define assert_perror(number) (static_cast<void>(0))
#else
#define assert(condition) \
    (static_cast<bool>(condition) ? void(0) : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#define assert_perror(number) (!(number) ? static_cast<void>(0) : __assert_perror_fail(number, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
