# Shared, constant and global memory, a static variable, and what a pointer leads to.
break features.src:@end@
run
#= Breakpoint 1, kernel
print tile
#= \$1 = \{0, 100, 200, 300\}
print tile[2]
#= \$2 = 200
print scale
#= \$3 = \{10, 20, 30\}
print total
#= \$4 = 5
print calls
#= \$5 = 40
print result
#= \$6 = 21
print *out
#= \$7 = 
