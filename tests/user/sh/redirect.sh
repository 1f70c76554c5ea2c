# Redirections of every kind.
echo one >f; cat f; echo two >>f; cat f; cat <f | wc -l | tr -d ' '
{ echo out; echo err >&2; } >o 2>e; cat o e
{ echo out; echo err >&2; } >b 2>&1; cat b
{ echo out; echo err >&2; } 2>&1 >o2 | sed 's/^/p:/'; cat o2
exec 3>three; echo to3 >&3; exec 3>&-; cat three; (echo x >&3) 2>/dev/null; echo $?
exec 4<f; read a <&4; read b <&4; echo $a $b; exec 4<&-
echo rw >rw; exec 5<>rw; read l <&5; echo $l; echo more >&5; exec 5>&-; cat rw
set -C; echo x >f 2>/dev/null; echo $?; echo clob >|f; cat f; set +C
cat <nofile 2>/dev/null; echo $?
: >empty; wc -c <empty | tr -d ' '
>made; [ -f made ] && echo made
while read x; do echo "[$x]"; done <f
for i in 1 2; do echo $i; done >loop; cat loop
(echo sub) >s; cat s
f() { echo func; }; f >ff; cat ff
echo a >x1 >x2; cat x1; echo --; cat x2
echo "a b" >"sp ace"; cat "sp ace"
n=name; echo v >$n; cat name
cat 0<f; cat <&- 2>/dev/null; echo $?
{ echo hidden; } >/dev/null; if true; then echo iff; fi >i; cat i
case x in x) echo c;; esac >c; cat c
echo 2>f2; cat f2; echo 2 >f2; cat f2
echo x | { cat; echo y; } | cat
/bin/sh -c 'exit 0' 9>&1
echo lost 2>/dev/null >/dev/full; echo after a full device; echo again
