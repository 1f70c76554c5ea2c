# Quotes and what they keep apart.
x='a  b'
echo $x "$x" '$x' "\$x" \$x
echo "a\"b" 'a"b' a\'b "a'b" "a\b" 'a\b' a\ b
echo "$(echo "in $(echo "deep $x")")"
echo `echo \`echo nested\`` "`echo "q $x"`"
echo "a
b" 'c
d' e\
f
printf '<%s>' "" '' "$unset" $unset x""y; echo
echo "\\" '\\' \\ "\`" "\a"
echo a#b # comment
echo "${x}" "${x}y" "$x"y
for i in a"$x"b; do echo "<$i>"; done
for i in a${x}b; do echo "<$i>"; done
echo "}" "{" } {
echo '!' "!" a!b
