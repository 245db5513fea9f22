<?php
preg_match('/(?<year>\d{4})-(?<month>\d\d)(-(\d\d))?/', 'on 2024-05!', $m, PREG_OFFSET_CAPTURE);
echo json_encode($m), "\n";
preg_match_all('/a(b)?/', 'ab a', $m, PREG_SET_ORDER | PREG_UNMATCHED_AS_NULL);
echo json_encode($m), "\n";
echo preg_replace('/(\w+) (\w+)/', '$2 ${1}!', 'hello world'), "\n";
echo preg_replace_callback('/\d+/', fn ($m) => $m[0] * 2, 'a1 b22', -1, $count), " $count\n";
echo json_encode(preg_split('//u', 'añb', -1, PREG_SPLIT_NO_EMPTY), JSON_UNESCAPED_UNICODE), "\n";
echo json_encode(preg_split('/([,;])/', 'a,b;c', -1, PREG_SPLIT_DELIM_CAPTURE)), "\n";
echo preg_quote('a.b*c?'), "\n";
var_dump(@preg_match('/(/', ''), preg_match('/\xff/u', "\xff"), preg_last_error_msg());
var_dump(preg_grep('/^a/', ['apple', 'bee', 'avocado'], PREG_GREP_INVERT));
