# Shapes of the grammar, and what is refused.
run() { "$SHELL_UNDER_TEST" -c "$1" 2>/dev/null; echo "-> $?"; }
run 'echo a; echo b;'; run 'echo a
echo b'; run '{ echo a; }'; run '(echo a)'; run 'if true
then
echo x
fi'; run 'echo a &&
echo b'; run 'echo a |
cat'; run 'for i in 1 2
do echo $i
done'; run 'echo $(echo a
)'; run '
# just a comment
'; run ''; run 'if'; run 'then'; run 'echo "unterminated'; run '(echo'; run 'echo )'; run 'fi'
run 'for 1x in a; do :; done'; run '| cat'; run 'case x in'; run 'echo a;; echo b'; run '&& x'; run 'while true; do'
run 'f() { echo f; }; f'; run 'f () { echo f; }
f'; run 'f()
{
echo nl
}
f'; run 'echo if then else fi do done'; run 'x=if; echo $x'; run 'echo a>f; cat f; rm f'; run 'echo 1>f; cat f; rm f'
run 'a=1 b=2; echo $a$b'; run 'a=1 b=$a; echo $b'; run 'a= ; echo "<$a>"'; run 'echo a=b'; run 'a=b=c; echo $a'
run '! ! true'; run 'echo ${'; run 'echo $'; run 'echo $ x'; run 'echo "$"'; run "echo '\$x'"; run 'echo ${x!}'
run '{ echo a; } && (echo b) || echo c'; run 'case a in a) echo 1;; b) echo 2; esac'; run 'case a in a) esac'
run 'echo a & wait'; run 'echo a; & echo b'; run 'if true; then fi'; run 'exit 3 | exit 4'; run ';'; run 'echo \'
run 'while read x; do echo $x; done <<E
1
2
E'; run 'eval "echo \"a b\""'; run 'eval "if"'; run '. ./nofile; echo no'; run 'set -- a b; echo $1$2'
run 'f() { echo $1; }; f $(echo x) >o; cat o; rm o'; run '[ a = a ] && { echo brace; }'; run 'x="a
b"; echo "$x"'; run '>x; ls x; rm x'; run 'echo a # c ; echo b'; run 'echo a#b'; run "echo 'a'b\"c\"d"
