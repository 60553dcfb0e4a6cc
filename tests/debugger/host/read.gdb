# What gdb reads in a cubin of tests/debugger/features.src, linked with callee.cu; suites/debugger.rs asks it. What stands behind
# `#= ` it has to say, in that order.
set language c++
info functions -q
#= int from_nvcc\(int\);
#= void kernel\(int \*, int, Pair\);
#= int twice\(int\);
info variables -q
#= int scale\[3\];
#= float total;
ptype struct Flags
#= unsigned int low : 3;
#= int middle : 5;
#= unsigned int high : 24;
ptype struct Pair
#= int first;
#= float second;
#= Flags flags;
ptype enum Colour
#= RED, GREEN = 5
whatis kernel
#= type = void \(int \*, int, Pair\)
info line features.src:40
#= Line 40 of .*features\.src" starts at address
info scope features.src:43
#= [Ss]ymbol n
#= [Ss]ymbol i
info scope features.src:46
#= [Ss]ymbol pair
print sizeof(struct Pair)
#= \$1 = 12
print (int)GREEN
#= \$2 = 5
