<?php
// Arguments are looked at in turn: the stream first, and null bytes where texts go to the system.
$calls = [
    fn() => fgetcsv('no stream', 1.5, 'ab'), fn() => fputcsv(1, 'no array'), fn() => fseek(null, []), fn() => fread([], 'x'),
    fn() => ftruncate(1.5, -1), fn() => flock('a', 'b'), fn() => count('text', 5), fn() => count('text'), fn() => count(new stdClass),
    fn() => count(new ArrayObject([1, 2])), fn() => count([1, [2, 3]], COUNT_RECURSIVE), fn() => sizeof(1),
    fn() => inet_pton("127.0.0.1\0"), fn() => getservbyname("http\0", 'tcp'), fn() => getservbyname('http', "tcp\0"),
    fn() => getservbyport(80, "tcp\0"), fn() => getprotobyname("tcp\0"),
    fn() => array_filter([1], ['a' => 1, 'b' => 2]), fn() => array_filter([1], [1, 2, 3]), fn() => array_map("a\0b", [1]),
    fn() => preg_replace([['x'], ['y']], 'z', 'text'),
    fn() => new RegexIterator(new ArrayIterator(['a']), '/('), fn() => new RegexIterator(new ArrayIterator(['a']), 'abc'),
    fn() => iterator_to_array(new RegexIterator(new ArrayIterator(['a', 'b']), '/a/')),
];
foreach ($calls as $call) {
    try {
        echo json_encode($call()), "\n";
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
