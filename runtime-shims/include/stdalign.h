/* Alignment (C17 7.15): words of the language in C++, where the header defines nothing. */
