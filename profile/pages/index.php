<?php
// A small site that answers what a page of a real one does: it loads classes on demand, wires services by reflection, matches routes,
// runs middleware and events, reads and checks data, and renders templates. `profile/record` has it answered again and again in one
// process, so that what a warm page runs is laid out as what it is.
declare(strict_types=1);

namespace Site;

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Site\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, 5), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});

$config = require __DIR__ . '/config.php';
$kernel = new Kernel($config);
foreach (['/', '/entries', '/entries/7', '/entries/7/edit', '/api/entries?page=2', '/search?q=blue+note', '/missing'] as $uri) {
    $response = $kernel->handle(Http\Request::of('GET', $uri));
    echo $response->status, ' ', strlen($response->body), ' ', $response->headers['content-type'] ?? '-', "\n";
}
$form = ['title' => '  A new <entry> ', 'body' => str_repeat("Some text with *stars*.\n", 6), 'tags' => 'red, blue,,red', 'rating' => '4'];
$response = $kernel->handle(Http\Request::of('POST', '/entries', $form));
echo $response->status, ' ', $response->headers['location'] ?? '-', "\n";
