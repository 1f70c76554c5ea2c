# Parameter expansion and its operators.
set -- one "two words" three
echo $# $1 "$2" ${3}
echo "$@" "$*"
printf '<%s>' "$@"; echo
printf '<%s>' "$*"; echo
printf '<%s>' $@; echo
printf '<%s>' $*; echo
IFS=,; printf '<%s>' "$*" $*; echo; unset IFS
printf '<%s>' "x$@y"; echo
set --; printf '<%s>' "$@" end; echo; printf '<%s>' "x$@" end; echo
printf '[%s]' "${u-def}" "${u:-def}" "${e-def}"; echo
e=; printf '[%s]' "${e-def}" "${e:-def}" "${e+alt}" "${e:+alt}" "${u+alt}"; echo
: ${u=assigned}; echo $u; : ${e:=also}; echo $e
p=/usr/lib/x.tar.gz
echo ${p#*/} ${p##*/} ${p%.*} ${p%%.*} ${#p} ${p#nomatch} ${p%/*}
echo "${p#*/}" "${p%"gz"}" ${p#"/usr"}
v='a*b*c'; echo "${v#*"*"}" "${v%'*'*}" "${v##*\*}"
echo ${u:-${e:-deep}} "${zz:-"quoted word"}" ${zz:-two words}
printf '<%s>' ${zz:-two words}; echo; printf '<%s>' "${zz:-two words}"; echo
printf '<%s>' ${zz:-"two words" x}; echo
printf '<%s>' "${zz-}" "${p:+}" x; echo; set -- 'one two' '' z; IFS=/; v="$@"; echo "$v"; v=$@; echo "$v"; unset IFS
set -- a b c d e f g h i j k l; echo $10 ${10} ${11} ${#} $#
shift 3; echo $1 $#
x=abc; echo ${#x} ${#1} "${#}" ${x%?} ${x#?} ${x%[bc]} ${x#[!a]}
echo "${x:-"a}b"}" ${x+'a b'}
(echo ${nope?message}) 2>/dev/null; echo $?
(echo ${nope:?}) 2>/dev/null; echo $?
y=${x}${x}; echo $y; y=$x$x"$x"; echo $y
a='1 2'; b=$a; echo "$b"
HOME=/h; echo ~ ~/x "~" a~ x=~ ; z=~/q:~; echo $z
