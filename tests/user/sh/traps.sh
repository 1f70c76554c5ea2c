# trap: exit, signals, subshells.
run() { echo "== $1"; "$SHELL_UNDER_TEST" -c "$1"; echo "-> $?"; }
run 'trap "echo bye" EXIT; echo hi'
run 'trap "echo bye; exit 5" EXIT; exit 3'
run 'trap "echo bye \$?" 0; exit 3'
run 'trap "echo usr" USR1; kill -USR1 $$; echo after'
run 'trap "" TERM; kill $$; echo survived'
run 'trap "echo t" TERM; trap - TERM; trap; echo none'
run 'trap "echo it'"'"'s" INT HUP; trap'
run 'trap "echo bye" EXIT; (echo sub); echo main'
run 'trap "echo bye" EXIT; (trap "echo subbye" EXIT; echo sub); echo main'
run 'f() { trap "echo t $1" EXIT; }; f x; echo main'
run 'trap "echo one" USR1; trap "echo two" USR2; kill -USR2 $$; kill -USR1 $$; echo z'
run 'trap "x=1" USR1; kill -USR1 $$; echo $x'
run 'trap "false" USR1; true; kill -USR1 $$; echo $?'
run 'trap "echo bye" EXIT; exec true'
run 'trap "echo bad" NOSUCH' 2>/dev/null
run 'sleep 5 & kill $!; wait $!; echo $?' 2>/dev/null
run 'kill -9 $$' 2>/dev/null
run 'trap "echo c" EXIT; trap - EXIT; echo d'
run 'trap "return 7" USR1; f() { kill -USR1 $$; echo no; }; f; echo $?'
run 'trap "exit 9" USR1; while :; do kill -USR1 $$; done'
