<?php
// preg_* with groups, callbacks, flags and errors.
var_dump(preg_match('/(\w+)@(?<host>\w+)\.com/', 'joe@example.com', $m), $m);
echo preg_match_all('/a(b)?/', 'ab a ab', $all), json_encode($all), "\n";
preg_match_all('/(\d)(\w)/', '1a 2b', $sets, PREG_SET_ORDER);
echo json_encode($sets), "\n";
echo preg_replace('/(\w+) (\w+)/', '$2 ${1}!', 'hello world'), preg_replace(['/a/', '/b/'], ['b', 'c'], 'ab'), preg_replace('/x/', 'y', 'xxx', 2, $n), $n, "\n";
echo preg_replace_callback('/\d+/', fn($m) => $m[0] * 2, 'a1 b22'), "\n";
echo json_encode(preg_split('/[\s,]+/', "a, b  c,d", -1, PREG_SPLIT_NO_EMPTY)), json_encode(preg_split('//', 'abc', -1, PREG_SPLIT_NO_EMPTY)), json_encode(preg_split('/(-)/', 'a-b', -1, PREG_SPLIT_DELIM_CAPTURE | PREG_SPLIT_OFFSET_CAPTURE)), "\n";
echo json_encode(preg_grep('/^a/', ['apple', 'banana', 'avocado'])), preg_quote('a.b*c?[d]/', '/'), "\n";
preg_match('/(a)(b)?(c)?/', 'a', $m, PREG_UNMATCHED_AS_NULL);
echo json_encode($m), "\n";
preg_match('/b/', 'abc', $m, PREG_OFFSET_CAPTURE);
echo json_encode($m), preg_match('/é/u', 'caf é'), preg_match('/^\p{Lu}/u', 'Éa'), preg_match('/A/i', 'a'), "\n";
var_dump(@preg_match('/[/', 'x'), preg_last_error(), preg_last_error_msg());
echo preg_replace_callback_array(['/a+/' => fn($m) => strlen($m[0]), '/b/' => fn() => 'B'], 'aaab'), "\n";
