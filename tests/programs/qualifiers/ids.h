typedef unsigned short Number;
typedef struct { Number group, member; } Id;
