# Fields are cut at IFS.
show() { printf '%d:' $#; printf '<%s>' "$@"; echo; }
a=' a  b c '; show $a; show "$a"; show x$a; show $a"x"
IFS=:; b='a:b::c:'; show $b; show "$b"; b=':a'; show $b; b=':'; show $b; b='::'; show $b
IFS=': '; b='a : b:c  d : : e'; show $b
IFS=; show $b; unset IFS; show $b
IFS=x; show $(echo axbxc) `echo dxe` $((1)); unset IFS
e=; show $e; show "$e"; show $e$e; show "$e"$e; show ''$e
set -- '' a ''; show "$@"; show $@; show "$*"
IFS=-; set -- a b; v="$*"; show "$v"; v=$*; show "$v"; unset IFS
show ${x:-a b "c d"}
IFS=' 	'; show $(printf 'a\nb c'); unset IFS
echo "a b:c" | { IFS=: read x y; show "$x" "$y"; }
