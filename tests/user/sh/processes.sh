# Pipelines, background, wait, substitution, $? and $!.
echo a | cat | cat | tr a b; false | true; echo $?; true | false; echo $?; ! false | true; echo $?
(exit 3) & wait $!; echo $?; true & p=$!; wait $p; echo $?
(sleep 0.1; echo late) & wait; echo after
{ echo a; sleep 0.1; echo b; } & wait; echo c
x=$(echo a; echo b; echo; echo); echo "$x"; x=$(exit 6); echo $?; x=`false`; echo $?
x=1; (x=2; echo $x); echo $x; x=$(x=3; echo $x)4; echo $x; echo 5 | { read x; echo $x; }; echo $x
yes 2>/dev/null | head -n 2; echo $?
sh -c 'kill -TERM $$' 2>/dev/null; echo $?
for i in 1 2 3; do echo $i; done | while read x; do echo "[$x]"; done | sort -r
a=$(for i in 1 2 3; do printf $i; done); echo $a
echo $(echo $(echo $(echo deep))) `echo \`echo deep2\``
echo 'read line; echo "got $line"' >rd; printf 'echo from\necho stdin\n' | $SHELL_UNDER_TEST
v=$(cat <<X
here
X
) && echo $v
(echo in; exit 2) | cat; echo $?
f() { echo x | while read a; do return 3; done; echo $?; }; f
echo $(
echo multi # comment )
echo line
)
case $(echo x) in x) echo matched;; esac
echo "$(case a in a) echo nested case;; esac)"
echo "$(echo ")")" $(echo '(' )
(trap 'echo subexit' EXIT; exit 4); echo $?
set -- $(echo 1 2 3); echo $#
sleep 0.3 & sleep 0.1 & jobs >jl; wc -l <jl | tr -d ' '; wait
nosuchcmd 2>/dev/null | cat; echo x | nosuchcmd 2>/dev/null; echo $?
exec 2>&1; (cd / && pwd); pwd | sed 's/.*dir$/dir/'
exec echo replaced
