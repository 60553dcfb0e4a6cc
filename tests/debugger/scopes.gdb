# A name of an inner block hides that of an outer one.
break features.src:@shadow@
run
#= Breakpoint 1, kernel
continue
#= Breakpoint 1, kernel
next
print i
#= \$1 = 1
print n
#= \$2 = 2
delete
break features.src:@call@
continue
#= kernel<<<.*features\.src:@call@
print n
#= \$3 = 3
