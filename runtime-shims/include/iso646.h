/* The words for operators (C17 7.9): words of the language in C++. */
