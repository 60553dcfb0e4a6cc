# Stops by the name of a kernel, by a line, and by the name of a function; each shows what it was called with.
break kernel
run
#= Breakpoint 1, kernel<<<\(1,1,1\),\(4,1,1\)>>> \(out=0x[0-9a-f]+, n=3, given=.*\) at .*features\.src
break features.src:@filled@
continue
#= Breakpoint 2, kernel<<<.*features\.src:@filled@
break twice
continue
#= Breakpoint 3, .*twice.* \(x=10\) at .*features\.src
