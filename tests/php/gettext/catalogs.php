<?php
// Catalogs made here: where they are looked for, plural forms, encodings, and damaged files.
/** A catalog of texts and translations; forms are lists. */
function catalog(string $header, array $texts, bool $big = false): string
{
    $long = $big ? 'N' : 'V';
    $texts = ['' => $header] + $texts;
    ksort($texts, SORT_STRING);
    $count = count($texts);
    [$originals, $translations, $data] = ['', '', ''];
    $start = 28 + 16 * $count;
    foreach ($texts as $text => $translation) {
        $translation = implode("\0", (array) $translation);
        $originals .= pack($long . '2', strlen($text), $start + strlen($data));
        $data .= "$text\0";
        $translations .= pack($long . '2', strlen($translation), $start + strlen($data));
        $data .= "$translation\0";
    }
    return pack($long . '7', 0x950412de, 0, $count, 28, 28 + 8 * $count, 0, $start) . $originals . $translations . $data;
}

$root = sys_get_temp_dir() . '/phlox-gettext-' . getmypid();
function put(string $place, string $data): void
{
    global $root;
    @mkdir(dirname("$root/$place"), 0777, true);
    file_put_contents("$root/$place", $data);
}

$utf8 = "Content-Type: text/plain; charset=UTF-8\n";
$germanic = $utf8 . "Plural-Forms: nplurals=2; plural=n != 1;\n";
put('de/LC_MESSAGES/messages.mo', catalog($germanic, ['tree' => 'Baum', "apple\0apples" => ['Apfel', 'Äpfel'], 'only' => 'nur de']));
put('de_AT/LC_MESSAGES/messages.mo', catalog($germanic, ['tree' => 'Bam', 'cream' => 'Obers'], true));
put('de_AT/LC_CTYPE/messages.mo', catalog($germanic, ['tree' => 'of LC_CTYPE']));
$polish = $utf8 . "Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n";
put('pl/LC_MESSAGES/messages.mo', catalog($polish, ["file\0files" => ['plik', 'pliki', 'plików'], 'ż' => 'źle']));
put('pl/LC_MESSAGES/other.mo', catalog($polish, ['tree' => 'drzewo', "file\0files" => ['1', '2']]));
put('fr/LC_MESSAGES/messages.mo', catalog("Content-Type: text/plain; charset=ISO-8859-1\n", ['tree' => "\xe9l\xe8ve", "one\0many" => ['un', 'des']]));
put('xx/LC_MESSAGES/messages.mo', catalog('no header to speak of', ['tree' => "\xff tree", "one\0many" => ['a', 'b', 'c']]));
put('yy/LC_MESSAGES/messages.mo', catalog($utf8 . 'Plural-Forms: nplurals=2; plural=n +;', ['tree' => "\xff damaged", "one\0many" => ['a', 'b']]));
put('bad/LC_MESSAGES/messages.mo', 'no catalog');
put('cut/LC_MESSAGES/messages.mo', substr(catalog($utf8, ['tree' => 'cut']), 0, 40));
put('version/LC_MESSAGES/messages.mo', substr_replace(catalog($utf8, ['tree' => 'version']), "\5", 6, 1));

var_dump(textdomain(), textdomain(null), bindtextdomain('messages'), bindtextdomain('messages', $root) === realpath($root));
var_dump(bindtextdomain('messages') === realpath($root), bindtextdomain('other', "$root/missing"), bindtextdomain('other'));
var_dump(bindtextdomain('other', $root) === realpath($root), bind_textdomain_codeset('messages'), gettext('tree'));
putenv('LANGUAGE=de');
echo 'In the locale C: ', gettext('tree'), "\n";
// LANGUAGE counts in all other locales. New C libraries leave C.UTF-8 out as well, where PHP needs another one for this test.
setlocale(LC_ALL, 'de_DE.UTF-8', 'C.UTF-8');
foreach (['de', 'de_AT', 'de_AT.UTF-8', 'de_DE@euro', 'nothing:de', 'pl:de', 'C:de', 'POSIX', 'fr', 'xx', 'yy', 'bad', 'cut', 'version', 'POSIX:de'] as $language) {
    putenv("LANGUAGE=$language");
    // The C library keeps what it found until a domain is chosen.
    textdomain('messages');
    echo "-- $language\n";
    echo implode(' ', [gettext('tree'), _('cream'), gettext('only'), gettext('missing'), dgettext('other', 'tree')]), "\n";
    echo dcgettext('messages', 'tree', LC_CTYPE), ' ', dcgettext('messages', 'tree', 99), ' ', bin2hex(gettext('tree')), "\n";
    foreach ([0, 1, 2, 5, 22, -1] as $count) {
        echo "$count: ", ngettext('file', 'files', $count), ' ', ngettext('apple', 'apples', $count), ' ', ngettext('one', 'many', $count);
        echo ' ', dngettext('other', 'file', 'files', $count), ' ', dcngettext('messages', 'a', 'b', $count, LC_MESSAGES), "\n";
    }
}
putenv('LANGUAGE=pl');
textdomain('messages');
echo gettext("ż\0more"), '|', bin2hex(gettext("none\0more")), '|', bin2hex(ngettext("a\0b", "c\0d", 2)), '|', gettext(''), "\n";
var_dump(textdomain('other'), gettext('tree'), textdomain());
var_dump(bind_textdomain_codeset('other', 'ISO-8859-2'), bind_textdomain_codeset('other'), textdomain('messages'));
foreach (['ISO-8859-2', 'UTF-16BE', 'no-such-encoding', 'UTF-8'] as $codeset) {
    bind_textdomain_codeset('messages', $codeset);
    echo $codeset, ' ', bin2hex(gettext('ż')), ' ', bin2hex(ngettext('file', 'files', 5)), "\n";
}
$long = str_repeat('x', 4097);
$calls = [
    fn () => textdomain(''), fn () => textdomain('0'), fn () => textdomain(str_repeat('x', 1025)), fn () => gettext($long),
    fn () => ngettext('a', $long, 1), fn () => dcgettext('a', 'b', LC_ALL), fn () => dcngettext('', 'a', 'b', 1, LC_ALL),
    fn () => bindtextdomain("a\0b"), fn () => bindtextdomain('', 'x'), fn () => bindtextdomain('a', "b\0"), fn () => bind_textdomain_codeset(''),
];
foreach ($calls as $call) {
    try {
        var_dump($call());
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($root, FilesystemIterator::SKIP_DOTS), 2) as $path => $info) {
    $info->isDir() ? rmdir($path) : unlink($path);
}
rmdir($root);
