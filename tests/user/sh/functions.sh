# Functions, local, return, recursion.
f() { echo "f $# $1"; return 3; }
f a b; echo $?
g() ( x=inner; echo $x ); x=outer; g; echo $x
h() { local x=loc y; y=1; echo $x $y; x=changed; }; h; echo $x ${y-unset}
fact() { if [ $1 -le 1 ]; then echo 1; else echo $(($1 * $(fact $(($1-1))))); fi; }; fact 6
r() { for i in 1 2 3; do [ $i = 2 ] && return $i; done; }; r; echo $?
k() { echo "$@"; }
k "a b" c | tr a-z A-Z
o() { echo out; echo err >&2; } 2>/dev/null; o
z() if true; then echo ifbody; fi; z
outer() { local v=1; inner; echo $v; }; inner() { v=2; }; v=0; outer; echo $v
set -- keep; k x y; echo $1
redefine() { echo one; }; redefine; redefine() { echo two; }; redefine; unset -f redefine; redefine 2>/dev/null; echo $?
w() { while read a; do echo "w$a"; return 5; done; }; echo 1 | w; echo $?
n() { n2() { echo nested; }; }; n; n2
e() { return; }; false; e; echo $?
A=1; asg() { echo $A; }; A=2 asg; echo $A
two() { shift; echo $1; }; two a b; 
depth() { [ $1 -eq 0 ] && { echo bottom; return; }; depth $(($1-1)); }; depth 200
