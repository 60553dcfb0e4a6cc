// What declarations.src includes.
struct OfHeader {
    int in_header;
    float too;
};

enum ColourOfHeader { RED_OF_HEADER, GREEN_OF_HEADER };

typedef struct OfHeader TypedefOfHeader;

static __device__ int function_of_header(struct OfHeader *p)
{
    int local_of_header = p->in_header;
    return local_of_header;
}

extern __device__ int declared_in_header;
