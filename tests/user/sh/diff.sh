# diff and patch, against busybox's; -L because its headers may carry times.
seq 1 30 >a; sed '5s/.*/five/;10d;20a twenty and a half' a >b
diff -u -L a -L b a b; echo $?; diff -u a a; echo $?; diff -q a b; echo $?
diff -u -L a -L b a b >p; cp a c; patch -i p c >/dev/null; cmp b c; echo $?; patch -R -i p c >/dev/null; cmp a c; echo $?
mkdir -p x/d y/d; echo 1 >x/f; echo 2 >y/f; echo same >x/d/s; echo same >y/d/s; echo only >y/d/n; echo gone >x/g
diff -rq x y | grep -v '^Only in y'; diff -rq x y >/dev/null; echo $?; diff -ruN x y >tree; echo $?; grep '^[-+]' tree | grep -v '^[-+][-+]'
cp -r x z; cd z; patch -p1 -i ../tree >/dev/null; cd ..; diff -r z y >/dev/null; echo $?; cat z/f z/d/n
cp a far; for i in 1 2 3; do echo "new $i"; done | cat - a >far; patch -i p far >/dev/null; echo $?; wc -l <far | tr -d ' '
printf 'x\ny' >n1; printf 'x\ny\n' >n2; diff -u -L a -L b n1 n2; diff -u -L a -L b n2 n1
seq 1 10 >r; sed s/5/bad/ r >r2; diff -u r r2 >rp; echo other >r; patch -i rp r >/dev/null 2>&1; echo $?; cat r
diff nofile a 2>/dev/null; echo $?
