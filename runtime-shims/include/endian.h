/* Order of bytes (glibc). */
#pragma once

#define LITTLE_ENDIAN 1234
#define BIG_ENDIAN 4321
#define PDP_ENDIAN 3412
#define BYTE_ORDER LITTLE_ENDIAN
#define __LITTLE_ENDIAN 1234
#define __BIG_ENDIAN 4321
#define __PDP_ENDIAN 3412
#define __BYTE_ORDER __LITTLE_ENDIAN
#define __FLOAT_WORD_ORDER __BYTE_ORDER
#define __WORDSIZE __LONG_WIDTH__

/* Functions of the host. */
#define htobe16(x) __bswap_16(x)
#define htobe32(x) __bswap_32(x)
#define htobe64(x) __bswap_64(x)
#define be16toh(x) __bswap_16(x)
#define be32toh(x) __bswap_32(x)
#define be64toh(x) __bswap_64(x)
#define htole16(x) __uint16_identity(x)
#define le16toh(x) __uint16_identity(x)
#define htole32(x) __uint32_identity(x)
#define le32toh(x) __uint32_identity(x)
#define htole64(x) __uint64_identity(x)
#define le64toh(x) __uint64_identity(x)
