# Here-documents.
x=val
cat <<EOF
plain $x ${x#v} $(echo sub) `echo bt` $((1+1)) \$x \\ "q" 'q' \a
EOF
cat <<'EOF'
raw $x `no` \$
EOF
cat <<"E O"
quoted $x
E O
cat <<\EOF
raw $x
EOF
cat <<-EOF
	tabs
		gone $x
	EOF
cat <<A; cat <<B
first
A
second
B
cat <<A - <<B 2>/dev/null
one
A
two
B
while read l; do echo "[$l]"; done <<EOF
l1
l2 x
EOF
f() { cat <<EOF
in function $1
EOF
}
f a; f b
cat <<EOF | tr a-z A-Z
piped
EOF
y=$(cat <<EOF
in subst
EOF
); echo $y
cat <<EOF
line\
joined
EOF
if true; then cat <<EOF
in if
EOF
fi
cat <<EOF
EOF
echo end
cat <<EOF && echo and
x "$(echo "deep quote")" ${u:-"def"}
EOF
i=0; while [ $i -lt 3 ]; do cat <<EOF
$i
EOF
i=$((i+1)); done
