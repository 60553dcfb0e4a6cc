/* `noreturn` (C17 7.23): an attribute in C++, where the header defines nothing. */
