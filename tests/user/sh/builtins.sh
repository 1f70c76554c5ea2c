# What the commands inside do.
eval 'echo a;' "echo b"; eval; echo $?
x=1; unset x; echo ${x-unset}; readonly r=5; (r=6) 2>/dev/null; echo $?; echo $r
export E=env; sh -c 'echo $E'; F=pre sh -c 'echo $F'; echo ${F-unset}
echo 'echo dotted $1; v=set' >dot; . ./dot; echo $v
echo 'return 4; echo no' >dot2; . ./dot2; echo $?
set -- a b c; shift; echo $*; shift 2; echo $#; shift 2>/dev/null; echo $?
cd /; pwd; cd /usr/bin; pwd; cd ..; pwd; cd - >/dev/null; pwd; cd /tmp/../usr/./lib; pwd; cd
type cd | sed 's/ .*builtin/ builtin/'; command -v cd; command -v nosuch_cmd; echo $?
command -v if; f() { :; }; command -v f; type f
command echo via; command nosuch_cmd 2>/dev/null; echo $?
true; echo $?; false; echo $?; :; echo $?
test -n x -a -z "" && echo ta; [ a = a -o b = c ] && echo to; [ ! -e /nonexist ] && echo tn
[ 1 -lt 2 ] && [ 2 -le 2 ] && [ 3 -gt 2 ] && [ 3 -ge 3 ] && [ 1 -ne 2 ] && [ 1 -eq 1 ] && echo cmp
[ ]; echo $?; [ "" ]; echo $?; [ x ]; echo $?; [ ! x ]; echo $?; [ -n ]; echo $?; [ '(' x ')' ]; echo $?
[ -d / ] && [ -x /bin/sh ] && [ -r /etc/passwd ] && echo files; [ a \< b ] && echo lt
[ 1 -eq x ] 2>/dev/null; echo $?; [ ! '(' a = b ')' ]; echo $?; [ = = = ]; echo $?; [ ! = ! ]; echo $?
umask 027; umask; umask 22; umask
printf '%s-%d-%x-%o-%c|' a 42 255 8 xyz; echo
printf '%5s|%-5s|%05d|%.2s|%*d\n' ab cd 42 xyz 4 7
printf '%s\n' a b c; printf '%s %s\n' a b c; printf 'no args %s %d\n'
printf '\101\x\n' 2>/dev/null; printf '%b' 'a\tb\n' 'c\0101\n'; printf '%%\n'; printf 'a\cb'; echo; printf '%b' 'x\cy'; echo
printf '%d %i %u\n' -5 0x10 7; printf '%d\n' "'A"; printf '%X\n' 255; printf '%e %.1f\n' 1.5 2.25
echo -n x; echo; echo -e 'a\tb\n\\c\0101'; echo -E 'a\tb'; echo -ne 'x\n'; echo - -x; echo 'a\tb'; echo -e 'a\cb'; echo
echo "a b  c" | { read x y; echo "$x|$y"; }; echo 'a\b c\ d' | { read x y; echo "$x|$y"; }
echo 'a\b' | { read -r x; echo "$x"; }; printf 'a\\\nb\n' | { read x; echo $x; }
printf 'no newline' | { read x; echo $? "$x"; }; read x </dev/null; echo $?
echo '  lead trail  ' | { read x; echo "<$x>"; }; echo 'a:b:c' | { IFS=: read x y; echo "$x|$y"; }
echo 'a b c d' | { read a b; echo "$b"; }; echo x | { read a b c; echo "<$a><$b><$c>"; }
set -- -a -b val -c rest more; while getopts ab:c o; do echo "$o ${OPTARG-}"; done; shift $((OPTIND-1)); echo $*
OPTIND=1; set -- -abx -y; while getopts ab: o; do echo "$o ${OPTARG-}"; done 2>/dev/null; echo $OPTIND
OPTIND=1; set -- -z -b; while getopts :ab: o; do echo "$o ${OPTARG-}"; done; OPTIND=1
OPTIND=1; set -- -a -- -b; while getopts ab o; do echo $o; done; echo $OPTIND
(exit 300) ; echo $?; (exit 5); echo $?
sh -c 'echo $0 $1 $#' name arg; sh -c 'exit 7'; echo $?; echo 'echo stdin $1' | sh -s arg
kill -l 9; kill -l 15; kill -0 $$ && echo alive
$SHELL_UNDER_TEST ./nofile 2>/dev/null; echo $?; ./dot 2>/dev/null; echo $?; /nonexistent 2>/dev/null; echo $?
times | wc -l | tr -d ' '; hash; echo $?
while getopts x o -x; do echo $o; break; done
export | grep '^export E='; set | grep '^v='
wait; echo $?; wait 99999 2>/dev/null; echo $?
