# grep, sort, uniq, head, tail, wc, tr, cut, expr and paths, against busybox's.
printf 'b 2\na 10\nc 1\na 10\nB 3\n' >f
sort f; sort -r f; sort -u f; sort -k2 f; sort -n -k2 f; sort -k2n -k1r f; sort -nr -k 2,2 f; sort f | uniq; sort f | uniq -c | tr -s ' '; sort f | uniq -d
grep a f; grep -v a f; grep -c a f; grep -n a f; grep -i b f; grep -q a f; echo $?; grep zz f; echo $?; grep -l a f /dev/null; grep -F 'a 1' f; grep -E 'a|c' f
grep -e a -e c f; grep '^[ab]' f; grep '1$' f; grep -E '[0-9]{2}' f; grep a f f; grep -h a f f | wc -l | tr -d ' '; grep -x 'a 10' f; grep -w 1 f; grep -o '[0-9]*' f; grep '' f | wc -l | tr -d ' '
head -n 2 f; head -1 f; tail -n 2 f; tail -1 f; tail -n +4 f; head -c 3 f; echo; tail -c 3 f; head -n 1 f f
wc -l <f; wc f; wc -c f; cut -d' ' -f2 f; cut -c1 f; cut -d ' ' -f 1,2 f; cut -f1 f
tr a-z A-Z <f; tr -d ' ' <f; tr -s 'a-z\n' <f; echo hello | tr -c 'a-z\n' x; echo 'a b' | tr ' ' '\n'; echo aBc | tr '[:upper:]' '[:lower:]'
expr 1 + 2; expr 5 - 7; expr 3 \* 4; expr 7 / 2; expr 7 % 2; expr 1 \< 2; expr a = a; expr 0; echo $?; expr abc : 'a\(.\)c'; expr abc : 'ab'; expr 2 + 3 \* 4; expr \( 2 + 3 \) \* 4; expr '' \| x; expr 1 \& 0; expr 10 \> 9
basename /a/b/c.d; basename /a/b/c.d .d; basename a/; basename /; dirname /a/b/c; dirname a; dirname /a; dirname a/b/; dirname /
mkdir -p x/y/z; mkdir x 2>/dev/null; echo $?; touch x/f x/y/g; ls x; ls -1 x; ls -a x; ls -d x; ls x/f x; cp -r x w; ls -1 w; cp x/f n; mv n m; ls m; rm m; ls m 2>/dev/null; echo $?
ln -s f sl; ls -d sl; cat sl | head -n 1; rm sl; ln f hard; cmp f hard; echo $?; echo z >>m; cmp -s f m; echo $?; rm -rf x w; ls; rm -f nofile; echo $?; rm nofile 2>/dev/null; echo $?; rmdir nodir 2>/dev/null; echo $?
echo a >p1; cp p1 p2; cp -p p1 p3; cat p1 p2 p3 - </dev/null; echo t | tee t1 t2; cat t1 t2; echo u | tee -a t1 >/dev/null; cat t1; seq 3; seq 2 4; seq 5 -2 1
d=$(mktemp -d); [ -d "$d" ] && echo dir; t=$(mktemp); [ -f "$t" ] && echo file; mktemp ./x.XXXXXX | wc -c | tr -d ' '; rm -r "$d" "$t"
env -i A=1 env; env A=2 sh -c 'echo $A'; cat nofile 2>/dev/null; echo $?; uname -s; id -u
