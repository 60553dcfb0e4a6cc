/* Time of day (POSIX): the host's. */
#pragma once
#include <sys/select.h>

struct timezone {
    int tz_minuteswest;
    int tz_dsttime;
};

#define timerclear(time) ((time)->tv_sec = (time)->tv_usec = 0)
#define timerisset(time) ((time)->tv_sec || (time)->tv_usec)
#define timercmp(a, b, operator) \
    (((a)->tv_sec == (b)->tv_sec) ? ((a)->tv_usec operator(b)->tv_usec) : ((a)->tv_sec operator(b)->tv_sec))
