# Types, with the places of bit-fields and the lengths of arrays.
break kernel
run
#= Breakpoint 1, kernel
ptype struct Flags
#= unsigned int low : 3;
#= int middle : 5;
#= unsigned int high : 24;
ptype struct Pair
#= int first;
#= float second;
#= Flags flags;
whatis grid
#= type = .*int \[2\]\[3\]
whatis tile
#= type = .*int \[4\]
ptype enum Colour
#= RED, GREEN = 5
whatis out
#= type = .*int \* *
