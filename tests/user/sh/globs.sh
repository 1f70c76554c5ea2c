# File names.
touch a1 a2 b1 .hid 'sp ace' c; mkdir d; touch d/x d/y
echo *; echo a*; echo ?1; echo [ab]1; echo [!a]1; echo [a-b][0-9]; echo nomatch*; echo "a*" 'a*' a\*
echo .h*; echo d/*; echo */x; echo */; echo ./a*; for f in *; do echo "<$f>"; done
v='a*'; echo $v "$v"; set -f; echo $v; set +f
echo [[:alpha:]]1; echo [c]*; echo 'sp'*; echo *' '*; echo [; echo ]; echo "["a"]"*
x=*; echo "$x"; case a1 in $v) echo m;; esac
cd d; echo *; cd ..; echo d*/*; echo {a,b}1
rm -r d a1 a2 b1 c 'sp ace'; echo *; echo *.c
