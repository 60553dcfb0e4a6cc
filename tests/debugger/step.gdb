# Goes line by line, into a function and on in it.
break features.src:@call@
run
#= Breakpoint 1, kernel<<<.*features\.src:@call@
step
#= twice.* \(x=10\) at .*features\.src
next
#= int made_by_nvcc
next
#= return half_of_it \+ made_by_nvcc
print made_by_nvcc
#= \$1 = 11
