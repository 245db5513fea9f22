<?php
// Rules of one's own: kinds of tests, offsets, masks, formats, conditions, names, and what is wrong with them.
$file = tempnam(sys_get_temp_dir(), 'magic');
set_error_handler(function (int $level, string $text) use ($file) { echo $level, ': ', str_replace($file, 'FILE', $text), "\n"; return true; });
$rules = <<<'E'
# A comment, and an empty line.

0	string	one	first
!:mime	application/x-one
!:ext	one/1
!:apple	ABCDEFGH
>3	byte	x	\b, byte %d
>3	ubyte	x	\b, unsigned %u
>4	leshort	x	\b, short %#x
>4	beshort&0x0fff	>0x10	\b, masked %d
>6	lelong	<0	\b, negative
>6	bequad	x	\b, quad %lld
0	string/c	two	second
>&0	string	>\0	\b, text "%s"
>>&1	string/T	x	\b, then "%.3s"
0	string	use	third
>3	use	part
>3	use	\^part
>(3.b)	string	here	\b, found here
>(3.b+1)	string	ere	\b, and one further
0	name	part
>0	beshort	x	\b, part %d
0	search/20/s	needle	a needle
>&0	string	needle	\b, again
0	regex/1l	^lines?=[0-9]+	lines
>0	regex	[0-9]+	\b, number %s
0	string	date	date
>4	ledate	x	%s
>8	leqwdate	x	\b, windows %s
>4	lemsdosdate	x	\b, dos %s
>6	lemsdostime	x	%s
0	string	float	float
>5	lefloat	>1.5	%g
>9	ledouble	x	\b, %.3f
0	string	pstr	pstr
>4	pstring/H	>\0	"%s"
0	string	guid	guid
>4	guid	x	%s
0	string	cond	cond
>4	if	byte	1	is one
>4	elif	byte	2	is two
>4	else	byte	x	is another
0	string	def	def
>3	byte	1	one
>3	byte	2	two
>3	default	x	other
>>3	byte	x	%d
>3	clear	x	
>3	default	x	\b, cleared
0	lestring16	wide	wide
0	octal	0777	never
-4	string	tail	at the end
0	string/W	a\ b	blanks
0	string/w	c\ d	optional blanks
0	string/f	word	whole word
0	string	${	${x?executable:plain} file
!:strength	+10
0	string	=eq	equal
0	string	!neq	%s is not it
!:strength -200
E;
file_put_contents($file, $rules);
$finfo = new finfo(FILEINFO_NONE, $file);
$samples = [
    "one\xff\x12\x34\xff\xff\xff\xff\1\2\3\4\5", "one", "TWOxyz\n", "two", "use\x05\x00here", "use\x06ab", 'hay needle', 'line=12', "lines=3\nlines", "date\x00\x00\x00\x5f\0\xc0\x2d\x81\x6e\x4b\xd0\x01",
    "float\0\0\x20\x40\x1f\x85\xeb\x51\xb8\x1e\x09\x40", "float\0\0\0\0", "pstr\0\x03abcdef", "guid\x33\x22\x11\x00\x55\x44\x77\x66" . "\x88\x99\xaa\xbb\xcc\xdd\xee\xff", "cond\1", "cond\2", "cond\3", "def\1", "def\2", "def\7",
    "w\0i\0d\0e\0", 'my tail', "a   b", 'ab', 'cd', 'c    d', 'word up', 'words', '${', '=eq', 'neq', 'something else',
];
foreach ($samples as $data) echo addcslashes($data, "\0..\37\177..\377"), ' => ', $finfo->buffer($data), ' | ', $finfo->buffer($data, FILEINFO_MIME_TYPE), ' | ', $finfo->buffer($data, FILEINFO_EXTENSION), ' | ', $finfo->buffer($data, FILEINFO_APPLE), ' | ', str_replace("\n", '\n', $finfo->buffer($data, FILEINFO_CONTINUE | FILEINFO_RAW)), "\n";

$wrong = [
    'x string a b', '0 nothing a b', '>0 byte 1 a', '0 byte', '0 byte z a', '0 byte 300 a', '0 byte 1 %s', '0 string a %d', '0 byte 1 %d %d', '0 default x %d', '&0 byte 1 a', '(0.z) byte 1 a', '(0.b byte 1 a',
    '0 byte >=1 a', '0 string/q a b', '0 search a b', '0 regex/W a b', '0 regex ( b', '0 string ' . str_repeat('a', 200) . ' b', "0 byte 1 a\n!:foo", "0 byte 1 a\n!:mime a\n!:mime b", "0 byte 1\n!:mime a", "0 byte 1 a\n!:mime ,",
    "0 byte 1 a\n!:strength ?5", "0 byte 1 a\n!:strength +500", "0 byte 1 a\n>0 else byte 1 b", "0 byte 1 a\n>>>0 byte 1 b", '!:mime a/b', '0 string a ' . str_repeat('d', 80), '0 ubyte 1 %lld', '0 quad 1 %lld', '0 lestring16/c a b', '0 string/s a b',
];
foreach ($wrong as $text) {
    echo "-- ", str_replace("\n", '\n', strlen($text) > 60 ? substr($text, 0, 60) . '...' : $text), "\n";
    file_put_contents($file, $text . "\n");
    echo get_debug_type(finfo_open(FILEINFO_NONE, $file)), "\n";
}
unlink($file);
