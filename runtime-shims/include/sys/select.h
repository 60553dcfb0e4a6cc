/* Sets of file descriptors (POSIX): the host's. */
#pragma once

#define FD_SETSIZE 1024
#define NFDBITS __LONG_WIDTH__

typedef long fd_mask;

typedef struct {
    fd_mask fds_bits[FD_SETSIZE / NFDBITS];
} fd_set;

struct timeval {
    time_t tv_sec;
    long tv_usec;
};

#define FD_SET(fd, set) __FD_SET(fd, set)
#define FD_CLR(fd, set) __FD_CLR(fd, set)
#define FD_ISSET(fd, set) __FD_ISSET(fd, set)
#define FD_ZERO(set) __FD_ZERO(set)
