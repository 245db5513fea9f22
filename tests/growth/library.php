<?php
// Objects and resources of extensions, some of which are still there when the request ends.
$kept = [];
for ($round = 0; $round < 5; $round++) {
    $document = new DOMDocument;
    $document->loadXML('<list><entry id="1">one</entry><entry id="2">two</entry></list>');
    $path = new DOMXPath($document);
    foreach ($path->query('//entry') as $entry) {
        $entry->setAttribute('seen', 'yes');
        $kept[] = $entry;
    }
    $document->loadHTML('<p>a<b>c', LIBXML_NOERROR);
    $simple = simplexml_load_string('<a><b c="d">e</b><b/></a>');
    $kept[] = $simple->b[0];
    $reader = XMLReader::XML('<a><b/></a>');
    $reader->read();
    $writer = new XMLWriter;
    $writer->openMemory();
    $writer->writeElement('a', 'b');
    $kept[] = $parser = xml_parser_create();
    xml_set_element_handler($parser, fn() => 0, fn() => 0);
    xml_parse($parser, '<a>', false);
    $database = new PDO('sqlite::memory:');
    $database->exec('create table t (a integer, b text)');
    $insert = $database->prepare('insert into t values (?, ?)');
    $insert->execute([$round, "text $round"]);
    $kept[] = $database->query('select * from t');
    $plain = new SQLite3(':memory:');
    $plain->createFunction('twice', fn($value) => 2 * $value);
    $kept[] = $plain->query('select twice(4)');
    $date = new DateTimeImmutable('2024-02-29 12:00', new DateTimeZone('Europe/Berlin'));
    foreach (new DatePeriod($date, new DateInterval('P1D'), 3) as $day) {
        $kept[] = $day->format('c');
    }
    $hash = hash_init('sha256', HASH_HMAC, 'key');
    hash_update($hash, 'text');
    $kept[] = $hash;
    $file = fopen('php://temp/maxmemory:10', 'w+');
    stream_filter_append($file, 'string.rot13');
    fwrite($file, str_repeat('text', 100));
    $kept[] = $file;
    $kept[] = fopen('php://memory', 'r+');
    $kept[] = opendir(__DIR__);
    $kept[] = stream_context_create(['http' => ['header' => 'A: b']]);
    $deflated = deflate_init(ZLIB_ENCODING_GZIP);
    $kept[] = $deflated;
    deflate_add($deflated, 'text');
    gzuncompress(gzcompress('text'));
    $kept[] = inflate_init(ZLIB_ENCODING_RAW);
    preg_match_all('/(?<word>\w+)' . $round . '/u', 'text1 text2', $matches);
    mb_convert_encoding('text', 'UTF-16', 'UTF-8');
    $kept[] = iconv('UTF-8', 'ISO-8859-1', 'text');
    $kept[] = curl_init('http://localhost/');
    $kept[] = openssl_pkey_new(['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'prime256v1']);
    openssl_encrypt('text', 'aes-128-cbc', str_repeat('k', 16), 0, str_repeat('i', 16));
    $storage = new SplObjectStorage;
    $storage[$document] = $storage;
    $heap = new SplPriorityQueue;
    $heap->insert($heap, 3);
    $kept[] = SplFixedArray::fromArray([1, [2], $heap]);
    $kept[] = new SplFileObject(__FILE__);
    $list = new SplDoublyLinkedList;
    $list->push($list);
    $kept[] = new RecursiveIteratorIterator(new RecursiveArrayIterator([1, [2, [3]]]));
    $kept[] = unserialize(serialize([new ArrayObject([1, 2]), 'key' => new stdClass]));
    $kept[] = json_decode('{"a": {"b": [1, 2, {"c": null}]}}');
    $kept[] = gmp_pow(3, 200);
    $kept[] = new BcMath\Number('1.25');
    $kept[] = finfo_open();
    $kept[] = token_get_all('<?php echo 1;');
    $kept[] = (new ReflectionFunction(fn(int $a = 1 + 2, string ...$rest) => 0))->getParameters();
    $kept[] = new Random\Randomizer(new Random\Engine\Xoshiro256StarStar(3));
    ini_set('precision', '10');
    setlocale(LC_ALL, 'C');
    putenv("GROWTH=$round");
    $kept[] = sprintf('%05.2f', 3.14159);
}
$kept[] = &$kept;
