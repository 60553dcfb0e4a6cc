#!/bin/sh
# Stands in for a compiler in the tests of the bench: answers as the files beside the link to it say.
while [ $# -gt 0 ]; do
    [ "$1" = -o ] && out=$2
    shift
done
[ -e "$0.answer" ] && cat "$0.answer" > "$out"
cat "$0.complaint" >&2
exit "$(cat "$0.status")"
