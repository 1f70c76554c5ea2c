# if, while, until, for, case, break, continue.
if true; then echo t; fi; if false; then echo no; else echo e; fi
if false; then :; elif true; then echo elif; else echo no; fi
if false; then echo x; fi; echo $?
i=0; while [ $i -lt 5 ]; do i=$((i+1)); [ $i = 2 ] && continue; [ $i = 4 ] && break; echo $i; done
until [ $i -eq 0 ]; do i=$((i-1)); done; echo $i
for x in a b c; do for y in 1 2 3; do [ $y = 2 ] && continue 2; [ $x = c ] && break 2; echo $x$y; done; done
for x in; do echo never; done; echo $?
for x do echo "arg $x"; done
set -- p q; for x do echo "arg $x"; done; for x
do
echo $x
done
case abc in a*) echo 1;; *) echo 2;; esac
case abc in (x|abc) echo 3;; esac
case 'a*c' in 'a*c') echo lit;; esac; case axc in 'a*c') echo no;; a\*c) echo no;; a"*"c) echo no;; *) echo ok;; esac
case x in y) ;; esac; echo $?
case "" in "") echo empty;; esac
v='a b'; case $v in a\ b) echo sp;; esac
p='[ab]'; case b in $p) echo class;; esac; case b in "$p") echo no;; *) echo quoted;; esac
case - in [a-c-]) echo dash;; esac; case ] in []]) echo br;; esac; case d in [!abc]) echo neg;; esac
case 5 in [[:digit:]]) echo digit;; esac
{ echo a; echo b; } | while read l; do echo "<$l>"; done
(exit 3); echo $?; { (exit 4); }; echo $?
! true; echo $?; ! false; echo $?
true && echo and || echo or; false && echo and || echo or; false || false || echo third
while false; do :; done; echo $?
while true; do (exit 7); break; done; echo $?
if ! false; then echo not; fi
for i in 1 2 3; do case $i in 2) break;; esac; echo $i; done
while :; do while :; do break 2; done; echo never; done; echo out
