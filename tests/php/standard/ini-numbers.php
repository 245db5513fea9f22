<?php
// What begins with a number and is one as a whole has its type; white space that ends the text belongs to it.
foreach (["7", "7 ", "1\"2\"", "\"12\"", "5\"\"", "5 \"\"", "1\${NONE}", "\${NONE}5", "1 2", "1.5 ", "-5 ", "010", "1e3", "1\"x\""] as $value) {
    var_dump(parse_ini_string("a=$value", false, INI_SCANNER_TYPED)['a']);
    var_dump(parse_ini_string("a=$value\n", false, INI_SCANNER_TYPED)['a']);
}
