# From a function that nvcc compiled, out through the one of weftc's that called it, to weftc's kernel.
break from_nvcc
run
#= Breakpoint 1, .*from_nvcc.* \(x=10\) at .*callee\.cu
backtrace
#= #0 .*from_nvcc.* \(x=10\) at .*callee\.cu
#= #1 .*twice.* \(x=10\) at .*features\.src
#= #2 .*kernel<<<.*features\.src:@call@
up
print half_of_it
#= \$1 = 10
up
print pair.first
#= \$2 = 10
