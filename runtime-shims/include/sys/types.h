/* Types of the host's system (POSIX): the compiler knows those that are integers. */
#pragma once
#include <stddef.h>
#include <sys/select.h>
