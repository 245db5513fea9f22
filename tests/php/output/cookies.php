<?php
// Cookies become headers, in order; on the command line nothing is sent.
ob_start();
setcookie('plain', 'a value; of=text');
setrawcookie('raw', 'a%20value', 0, '/path', 'example.com', true, true);
setcookie('gone');
setcookie('options', '1', ['expires' => 1, 'path' => '/', 'SameSite' => 'Lax', 'httponly' => true]);
foreach ([
    fn() => setcookie(''),
    fn() => setcookie('a=b'),
    fn() => setrawcookie('a', 'b c'),
    fn() => setcookie('a', 'b', 0, "/\n"),
    fn() => setcookie('a', 'b', 253402300800),
    fn() => setcookie('a', 'b', ['wrong' => 1]),
    fn() => setcookie('a', 'b', [], '/'),
    fn() => setcookie('a', 'b', [1]),
] as $wrong) {
    try {
        $wrong();
    } catch (Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
ob_end_flush();
