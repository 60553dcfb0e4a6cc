/* Kinds of characters (C17 7.4). The functions are the host's. */
#pragma once

#define isascii(c) (((c) & ~0x7f) == 0)
#define toascii(c) ((c) & 0x7f)

/* Of a given locale. */
#define isalnum_l(c, locale) __isalnum_l(c, locale)
#define isalpha_l(c, locale) __isalpha_l(c, locale)
#define isascii_l(c, locale) __isascii_l(c, locale)
#define isblank_l(c, locale) __isblank_l(c, locale)
#define iscntrl_l(c, locale) __iscntrl_l(c, locale)
#define isdigit_l(c, locale) __isdigit_l(c, locale)
#define isgraph_l(c, locale) __isgraph_l(c, locale)
#define islower_l(c, locale) __islower_l(c, locale)
#define isprint_l(c, locale) __isprint_l(c, locale)
#define ispunct_l(c, locale) __ispunct_l(c, locale)
#define isspace_l(c, locale) __isspace_l(c, locale)
#define isupper_l(c, locale) __isupper_l(c, locale)
#define isxdigit_l(c, locale) __isxdigit_l(c, locale)
#define toascii_l(c, locale) __toascii_l(c, locale)
