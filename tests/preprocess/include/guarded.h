/* A comment may stand before. */
#ifndef GUARDED_H
#define GUARDED_H
guarded __INCLUDE_LEVEL__ __LINE__
#endif
// And behind.
