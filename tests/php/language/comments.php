<?php
# hash comment
// line comment ?> <?php
/* block // with # others */
/** doc */
#[Attribute]
class A /* between */ { /* inside */ public /* modifiers */ $x /* name */ = /* value */ 1 /* end */; }
echo (new A)->x /* argument */, "# not a comment", '// neither', "\n"; // trailing
echo "a" /* one */ . /* two */ "b"; # end
echo "\n";
$x = 5 /* multi
line */ + 3;
echo $x, __LINE__, "\n";
if ($x): // colon
    echo 'yes'; endif; # done
echo "\n" ?>
text # stays
<?php // last line without newline
