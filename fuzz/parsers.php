<?php
// Feeds the parsers of outside data with damaged input, to find what makes the engine fail:
//
//     phlox fuzz/parsers.php [seed [executions of each [parser..]]]
//
// Nothing of what the parsers say matters, only that the engine survives it: a panic ends the script with "Internal
// engine error" and status 255, and the line before says with which seed. The same seed makes the same inputs.

ini_set('memory_limit', '512M');
ini_set('pcre.backtrack_limit', '10000');
ini_set('pcre.recursion_limit', '1000');
error_reporting(E_ERROR);
set_error_handler(fn() => true);
libxml_use_internal_errors(true);
date_default_timezone_set('Europe/Berlin');

class Plain
{
    public $a;
    protected ?array $b = null;
    public function __wakeup() {}
}

/** Archives in the three formats. */
function archives(): array
{
    $all = [file_get_contents(__DIR__ . '/../tests/php/phar/program.phar')];
    foreach (['tar', 'zip'] as $kind) {
        $file = sys_get_temp_dir() . '/phlox-fuzz-' . getmypid() . ".$kind";
        $archive = new PharData($file);
        $archive['a.txt'] = 'first';
        $archive['dir/b.txt'] = str_repeat('second ', 9);
        $all[] = file_get_contents($file);
        Phar::unlinkArchive($file);
    }
    return $all;
}

function certificate(): string
{
    $conf = ['config' => __DIR__ . '/../tests/php/openssl/openssl.cnf', 'private_key_bits' => 1024];
    $key = openssl_pkey_new($conf);
    $request = openssl_csr_new(['commonName' => 'fuzz'], $key, $conf);
    openssl_x509_export(openssl_csr_sign($request, null, $key, 1, $conf), $text);
    return $text;
}

$xml = '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e "x">]><r xmlns:n="u" a="1"><n:b>t&e;&amp;</n:b><![CDATA[c]]><!-- d --><?p i?></r>';
$parsers = [
    'unserialize' => [
        [
            'a:2:{i:0;s:3:"abc";s:1:"k";O:8:"stdClass":1:{s:1:"p";d:0.5;}}', 'O:5:"Plain":2:{s:1:"a";N;s:4:"' . "\0*\0b" . '";a:0:{}}',
            'O:11:"ArrayObject":4:{i:0;i:0;i:1;a:1:{i:0;i:1;}i:2;a:0:{}i:3;N;}', 'a:2:{i:0;a:1:{i:0;R:2;}i:1;r:1;}',
            'O:19:"SplDoublyLinkedList":3:{i:0;i:0;i:1;a:1:{i:0;b:1;}i:2;a:0:{}}', 'E:3:"A:B";', 'b:1;i:-5;d:INF;',
            'O:8:"DateTime":3:{s:4:"date";s:26:"2020-01-01 00:00:00.000000";s:13:"timezone_type";i:3;s:8:"timezone";s:3:"UTC";}',
            'O:16:"SplObjectStorage":2:{i:0;a:2:{i:0;O:8:"stdClass":0:{}i:1;N;}i:1;a:0:{}}', 'C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}',
            'O:12:"DateInterval":2:{s:1:"y";i:1;s:1:"f";d:0.5;}', 'O:13:"SplFixedArray":2:{i:0;i:1;i:1;i:2;}',
        ],
        fn($s) => unserialize($s),
    ],
    'json' => [
        ['{"a":[1,2.5e3,-0,true,null,"\u00e9\ud83d\ude00\n"],"b":{"c":{}}}', '[[[[]]]]', '"\"', '123456789012345678901234567890', ' [1 , 2] '],
        fn($s) => [json_decode($s), json_decode($s, true, 5, JSON_BIGINT_AS_STRING | JSON_INVALID_UTF8_IGNORE), json_validate($s), json_encode($s)],
    ],
    'date' => [
        [
            '2024-02-29T23:59:59.123456+02:00', 'last monday of february next year noon', '@-1234567890.5', 'tomorrow +3 weekdays -2 months',
            '10/Oct/2000:13:55:36 -0700', '2008W273', 'P1Y2M3DT4H5M6S', 'R5/2008-03-01T13:00:00Z/P1Y', '1.5.2020 12.30pm Europe/Paris', 'back of 7pm', 'Sat, 30 Apr 2016 17:52:13 GMT',
        ],
        function ($s) {
            strtotime($s);
            date_parse($s);
            date_parse_from_format(strrev(substr($s, 0, 12)), $s);
            $date = date_create($s);
            if ($date) [$date->format($s), $date->modify($s)];
            foreach ([fn() => new DateInterval($s), fn() => new DatePeriod($s), fn() => new DateTimeZone($s), fn() => DateInterval::createFromDateString($s)] as $make) {
                try { $make(); } catch (Throwable) {}
            }
        },
    ],
    'url' => [
        ['https://user:pass@host.example:8080/p/a/t/h?query=1&x[]=2&y[a][b]=3#frag', '//h:99999/', 'mailto:a@b', 'a[b]c=d&[=&=x&a.b=1', '/x:80', 'data:text/plain;base64,SGk='],
        fn($s) => [parse_url($s), parse_str($s, $into), http_build_query($into), urldecode($s), filter_var($s, FILTER_VALIDATE_URL), filter_var($s, FILTER_VALIDATE_EMAIL), filter_var($s, FILTER_VALIDATE_IP), file_get_contents(str_starts_with($s, 'data:') ? $s : 'data:' . $s)],
    ],
    'ini' => [
        ["[s]\na = 1\nb[] = \"x\${HOME}y\"\nc[k] = 'q'\n;n\nd = on | off\ne = E_ALL & ~E_NOTICE\nf=!(1)\n", "a=\"un\nterm", "x = \"\\\"q\"\n[z", "path=/usr/\${x:-d}/b"],
        fn($s) => [parse_ini_string($s, true), parse_ini_string($s, false, INI_SCANNER_RAW), parse_ini_string($s, true, INI_SCANNER_TYPED)],
    ],
    'csv' => [
        ["a,\"b \"\"q\"\" c\",d\n1;2;'x,y'\n", '"open, never closed', ",,\n\"\"\"\"", "a\\\"b,\"c\\\"\",d"],
        fn($s) => [str_getcsv($s), str_getcsv($s, ';', "'", ''), str_getcsv($s, substr($s, 0, 1) ?: 'x', substr($s, 1, 1) ?: 'y', substr($s, 2, 1))],
    ],
    'pack' => [
        ['a5A5h3H*cCsSnvlLNVqQJPfgGdeExX2@4Z6', 'Nlen/a*data', 'c2chars/nint', 'C*', 'q1a/J2b/E1c', '@2/a3x', 'Z*s/X2/h*'],
        function ($s) {
            // Fields of megabytes are right, and slow.
            $s = preg_replace('/\d{5,}/', '99', $s);
            foreach ([fn() => unpack($s, $s . "\1\2\3\xff" . strrev($s)), fn() => unpack('C*', $s), fn() => pack($s, 1, -2, 'abc', 2.5, 'f', 7, 8, 9), fn() => unpack($s, $s, 3)] as $call) {
                try { $call(); } catch (Throwable) {}
            }
        },
    ],
    'preg' => [
        ['/(?<n>a+)(b|c)*\d{2,3}$/iu', '~(?i:x(?=y)z)|[^a-\w]+?~s', '#(a(?1)?b)\K#', '{\bfoo\p{Lu}}xADU', '/(?(R)a|b)(*MARK:m)/', '/[[:alpha:]]\Q.\E\x{41}/u', '(a)(\1)'],
        fn($s) => [preg_match($s, 'aab12 foo xyz é' . $s, $m, PREG_OFFSET_CAPTURE), preg_match_all($s, 'aabb ab' . $s, $m, PREG_SET_ORDER), preg_split($s, 'a,b;c' . $s, -1, 7), preg_replace($s, $s, 'abcabc'), preg_quote($s), preg_match('/' . preg_quote($s, '/') . '/', $s), mb_ereg($s, 'aab12 foo')],
    ],
    'phar' => [
        archives(),
        function ($s) {
            static $number = 0;
            $file = sys_get_temp_dir() . '/phlox-fuzz-' . getmypid() . '-' . $number++ . '.phar';
            file_put_contents($file, $s);
            foreach (['Phar', 'PharData'] as $class) {
                try {
                    foreach (new RecursiveIteratorIterator(new $class($file)) as $name => $entry) {
                        [$entry->getSize(), file_get_contents($name), $entry->getMetadata()];
                    }
                } catch (Throwable) {}
            }
            try { Phar::unlinkArchive($file); } catch (Throwable) {}
            @unlink($file);
        },
    ],
    'certificates' => [
        [file_get_contents(__DIR__ . '/../tests/php/openssl/openssl.cnf'), certificate()],
        fn($s) => [openssl_x509_parse($s), openssl_csr_get_subject($s), openssl_pkey_get_private($s), openssl_pkcs7_read($s, $list), openssl_pkcs12_read($s, $list, ''), openssl_spki_verify($s)],
    ],
    'zlib' => [
        [gzcompress('hello hello hello hello'), gzdeflate(str_repeat('abc', 40)), gzencode('x' . str_repeat('y', 99)), zlib_encode('raw', ZLIB_ENCODING_RAW)],
        function ($s) {
            [gzuncompress($s, 1 << 16), gzinflate($s, 1 << 16), gzdecode($s, 1 << 16), zlib_decode($s, 1 << 16)];
            $state = inflate_init(ZLIB_ENCODING_DEFLATE);
            inflate_add($state, $s);
        },
    ],
    'xml' => [
        [$xml, '<a><b c="d">e</b></a>', '<a xmlns="x"><b/></a>', '<?xml version="1.0" encoding="ISO-8859-1"?><é/>', '<svg><![CDATA[x]]></svg>'],
        function ($s) {
            simplexml_load_string($s)?->xpath($s);
            $document = new DOMDocument();
            if ($document->loadXML($s)) {
                [$document->saveXML(), $document->C14N()];
                (new DOMXPath($document))->query($s);
            }
            $parser = xml_parser_create();
            xml_parse_into_struct($parser, $s, $values);
            $reader = XMLReader::XML($s);
            while ($reader && $reader->read()) {
                $reader->readOuterXml();
            }
        },
    ],
    'html' => [
        ['<p class=x>a<b>c</p><table><tr><td>d</table><script>if(a<b){}</script>&amp;&notin;&#x41;', '<!DOCTYPE html><svg><foreignObject><p>', '<a href="?a=1&b=2">'],
        function ($s) {
            $document = new DOMDocument();
            if ($s !== '' && $document->loadHTML($s)) $document->saveHTML();
            try {
                $modern = Dom\HTMLDocument::createFromString($s);
                [$modern->saveHtml(), $modern->querySelector(substr($s, 0, 8) ?: 'a')];
            } catch (Throwable) {}
            [html_entity_decode($s), htmlentities($s), strip_tags($s, '<b>')];
        },
    ],
    'text' => [
        ["h\u{e9}llo w\u{f6}rld \u{1f600}", "\xff\xfe\x00a", '+AGEA-', "\x1b\$B\x30\x21\x1b(B", "=?UTF-8?Q?=E9?= =?B?", "\x8f\xa2\xb7\x81\x40"],
        function ($s) {
            static $encodings = null;
            $encodings ??= array_diff(mb_list_encodings(), ['BASE64', 'UUENCODE', 'HTML-ENTITIES', 'Quoted-Printable']);
            $encoding = $encodings[array_rand($encodings)];
            [mb_convert_encoding($s, 'UTF-8', $encoding), mb_convert_encoding($s, $encoding, 'UTF-8'), mb_strimwidth($s, 0, 3, '..', $encoding)];
            [mb_detect_encoding($s, $encodings), mb_strtoupper($s, $encoding), mb_decode_mimeheader($s), mb_substr($s, -2, 1, $encoding), iconv_mime_decode($s, 2), iconv('UTF-8', 'UTF-16//IGNORE', $s)];
            [sscanf($s, '%d%s%[a-z]'), metaphone($s), quoted_printable_decode($s), convert_uudecode($s), base64_decode($s), hex2bin($s), wordwrap($s, 3, "\n", true), token_get_all($s), highlight_string($s, true)];
            try { vsprintf(preg_replace('/\d{5,}/', '99', $s), [1, 'a', 2.5]); } catch (Throwable) {}
        },
    ],
];

/** A seed damaged in a few places. */
function damaged(array $seeds): string
{
    $text = $seeds[array_rand($seeds)];
    for ($times = mt_rand(0, 6); $times > 0; $times--) {
        $at = mt_rand(0, strlen($text));
        $text = match (mt_rand(0, 7)) {
            0 => substr($text, 0, $at) . chr(mt_rand(0, 255)) . substr($text, $at),
            1 => substr($text, 0, $at) . substr($text, $at + mt_rand(1, 4)),
            2 => substr($text, 0, $at) . substr($text, mt_rand(0, strlen($text)), mt_rand(1, 8)) . substr($text, $at),
            3 => substr($text, 0, $at) . ['-1', '99999999999999999999', '0', '2147483648', '1e999', "\0", '{', '}', '"', '%', '[', ']', '(', ')'][mt_rand(0, 13)] . substr($text, $at),
            4 => substr($text, 0, $at),
            5 => substr($text, $at) . substr($text, 0, $at),
            6 => $at < strlen($text) ? substr_replace($text, chr(ord($text[$at]) ^ 1 << mt_rand(0, 7)), $at, 1) : $text,
            7 => substr($seeds[array_rand($seeds)], 0, $at) . substr($text, $at),
        };
    }
    return substr($text, 0, 400);
}

$seed = (int) ($argv[1] ?? 1);
$count = (int) ($argv[2] ?? 10_000);
$chosen = array_slice($argv, 3) ?: array_keys($parsers);
foreach ($chosen as $name) {
    [$seeds, $parse] = $parsers[$name];
    for ($done = 0; $done < $count; $done += 1000) {
        mt_srand($seed + $done);
        fprintf(STDERR, "\r%s %d ", $name, $seed + $done);
        for ($each = 0; $each < 1000; $each++) {
            $input = damaged($seeds);
            try {
                $parse($input);
            } catch (Throwable) {
            }
        }
    }
    echo $name, ': ', $done, " inputs survived\n";
}
