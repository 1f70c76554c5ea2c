#!/bin/sh
# runtests - every program in /tests (or $TESTS), or those named
#
# usage: runtests [name...]
#
# A program must print a plan and as many results as it plans: one that dies
# early fails. The last line counts; the status is 1 if anything failed.
dir=${TESTS:-/tests}
if [ $# -eq 0 ]; then
    set -- "$dir"/*
fi
out=${TMPDIR:-/tmp}/runtests.$$
passed=0 failed=0

# judge NAME STATUS: counts the results in $out, complains about what is missing
judge()
{
    planned='' results=0
    while read -r first _ rest; do
        case $first in
        1..*) planned=${first#1..} ;;
        ok) results=$((results + 1)) passed=$((passed + 1)) ;;
        not)
            results=$((results + 1)) failed=$((failed + 1))
            echo "# failed: $1: ${rest#* - }; again: runtests $1"
            ;;
        esac
    done <"$out"
    if [ "${planned:-none}" != "$results" ]; then
        failed=$((failed + 1))
        echo "# failed: $1: planned ${planned:-nothing}, came to $results, status $2; again: runtests $1"
    fi
}

for program; do
    name=${program##*/}
    [ -x "$dir/$name" ] || continue
    case $name in helper-*) continue ;; esac
    echo "# $name"
    "$dir/$name" >"$out" 2>&1
    code=$?
    cat "$out"
    judge "$name" "$code"
done
rm -f "$out"
echo "# user: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
