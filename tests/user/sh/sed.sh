# sed, against busybox's.
printf 'one\ntwo\nthree\nfour\n' >f
sed s/o/0/ f; sed s/o/0/g f; sed -n s/o/0/p f; sed 2d f; sed '2,3d' f; sed '/tw/,/thr/d' f; sed '$d' f
sed -n 2p f; sed -n '$p' f; sed -n '2,$p' f; sed 2q f; sed -n '/t/p' f; sed '/t/!d' f; sed '1!d' f
sed 's/\(.\)\(.\)/\2\1/' f; sed 's/[aeiou]/<&>/g' f; sed 's,/,|,g;s/t/T/' f; sed -e s/a/b/ -e s/o/a/ f
echo a/b/c | sed 's,/,:,g'; echo a.b | sed 's/\./-/'; echo aaa | sed s/a/b/2; echo abc | sed 's/x*/-/g'; echo 'a&b' | sed 's/&/\&/'
cp f g; sed -i 's/one/1/' g; cat g; sed -E 's/(o+)(n|w)/[\1\2]/' f; sed -n '/one/,2p' f; sed '2,1p' f; sed = f
echo x | sed 's/x/a\nb/'; echo 'a  b' | sed 's/  */ /g'; echo abc | sed 's/B/x/I'; sed '3,/one/d' f; sed '0,/x/p' f >/dev/null 2>&1
printf 'no nl' | sed s/n/N/; echo; sed '' f; sed -n '2{p;p}' f; sed '/two/{s/t/T/;s/o/O/}' f; sed 's/^/> /;s/$/ </' f
sed '2a after' f; sed '2i before' f; sed -n '2n;p' f; echo 'a\b' | sed 's/\\/\//'; echo 'x[1]' | sed 's/\[1\]/y/' ; echo 'a]b' | sed 's/[]]/y/'
printf '%s\n' 'Index: a' '+++ b/dir/f.c	2002' | sed -n 's/^+++ [^/]*\/\([^	]*\).*/\1/p'
echo 'p.patch' | sed 's/\.patch$//' ; echo path/x.pc | sed 's@.*/@@;s@\.pc$@@'
