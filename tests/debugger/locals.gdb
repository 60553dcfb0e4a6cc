# Shows parameters, numbers, enumerators, structs, bit-fields, arrays and vectors.
break features.src:@call@
run
#= Breakpoint 1, kernel
print n
#= \$1 = 3
print given
#= \$2 = \{first = 7, second = 0\.25, flags = \{low = 5, middle = 9, high = 1000\}\}
print pair
#= \$3 = \{first = 10, second = 0\.25, flags = \{low = 5, middle = -3, high = 1000\}\}
print pair.flags.middle
#= \$4 = -3
print colour
#= \$5 = GREEN
print grid
#= \$6 = \{\{1, 2, 3\}, \{4, 5, 12\}\}
print vector
#= \$7 = \{x = 1\.5, y = 2\.5, z = 3\.5, w = 4\.5\}
print thread
#= \$8 = 0
