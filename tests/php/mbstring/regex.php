<?php
mb_regex_encoding('UTF-8');
var_dump(mb_regex_encoding(), mb_regex_set_options());
var_dump(mb_ereg('(?<wort>\w+)-(x)?', 'äöü-!', $m), $m);
var_dump(mb_eregi('ÄÖ', 'xäöy', $m), $m);
var_dump(mb_ereg_replace('[äö]', '<\0>', 'aäbö'), mb_ereg_replace('(?<v>[ao])', "[\\k<v>\\1]", 'oha'));
var_dump(mb_eregi_replace('A', 'x', 'aA'), mb_ereg_replace('', '-', 'ab'), mb_ereg_replace('A', 'x', 'aA', 'i'));
var_dump(mb_ereg_replace_callback('(\d)(\d)?', fn($m) => '<' . implode('|', $m) . '>', '1a23'));
var_dump(mb_split('\s+', " ein  zwei drei"), mb_split(',', 'a,b,c', 2));
var_dump(mb_ereg_match('a.', 'abc'), mb_ereg_match('b', 'abc'), mb_ereg_match('A', 'abc', 'i'));
var_dump(mb_ereg_search_init('日本語 text', '\w+'));
while (($found = mb_ereg_search_pos()) !== false) {
    echo implode(' ', $found), ' at ', mb_ereg_search_getpos(), ': ', implode(',', mb_ereg_search_getregs()), "\n";
}
var_dump(mb_ereg_search_setpos(-4), mb_ereg_search_regs('t'));
var_dump(mb_regex_set_options('imz'), mb_regex_set_options());
var_dump(mb_ereg("\xff", 'a'), mb_ereg('(', 'a'), mb_ereg('a', "\xff"));
foreach ([fn() => mb_regex_encoding('none'), fn() => mb_ereg('', 'a'), fn() => mb_regex_set_options('q'),
          fn() => mb_ereg_search_setpos(99)] as $wrong) {
    try {
        $wrong();
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
