<?php
// The everyday functions.
echo strtoupper('abc'), ucfirst('xyz'), ucwords('two words-here', ' -'), lcfirst('ABC'), strrev('abc'), "\n";
echo substr('abcdef', 1, 3), substr('abc', -2), substr('abc', 5) === '' ? 'empty' : 'x', substr_count('aXbXc', 'X'), substr_replace('Hello', 'J', 0, 1), "\n";
var_dump(strpos('haystack', 'st'), strpos('abc', 'z'), stripos('ABC', 'b'), strrpos('abab', 'a'), str_contains('abc', ''), str_starts_with('abc', 'ab'), str_ends_with('abc', 'bc'));
echo trim("  x \n"), rtrim('xaa', 'a'), ltrim('0012', '0'), trim('abcXcba', 'a..c'), '|', "\n";
echo str_pad('5', 3, '0', STR_PAD_LEFT), str_pad('x', 5, '-=', STR_PAD_BOTH), str_repeat('ab', 3), wordwrap('The quick brown fox', 10, "\n", true), "\n";
echo implode(',', explode('-', 'a-b-c', 2)), implode(',', explode('-', 'a-b-c', -1)), implode(',', str_split('abcdef', 4)), nl2br("a\nb"), "\n";
echo strstr('user@host', '@'), strstr('user@host', '@', true), strrchr('a/b/c', '/'), stristr('HAYSTACK', 'st'), strpbrk('This', 'st'), "\n";
echo similar_text('World', 'Word'), levenshtein('kitten', 'sitting'), soundex('Robert'), metaphone('Thompson'), "\n";
echo ucwords(strtolower('JOHN O\'REILLY')), strtr('Hi all', 'ai', 'eo'), strtr('Hi all', ['Hi' => 'Hello', 'Hello' => 'x']), "\n";
echo number_format(1234.5), number_format(0.129, 2), chunk_split('abcd', 2, '|'), addslashes("a'b\"c"), stripslashes('a\\\'b'), "\n";
