<?php
return [
    'name' => 'A site',
    'locale' => 'en',
    'debug' => false,
    'middleware' => [Site\Http\TrimInput::class, Site\Http\Timing::class],
    'services' => [
        'entries' => ['page' => 5, 'sort' => 'title'],
        'view' => ['path' => __DIR__ . '/templates', 'escape' => ENT_QUOTES | ENT_SUBSTITUTE],
    ],
    'messages' => [
        'en' => ['entries.count' => '{n} entries', 'entries.none' => 'Nothing was found', 'hello' => 'Hello, {name}!'],
        'de' => ['entries.count' => '{n} Einträge', 'entries.none' => 'Nichts gefunden', 'hello' => 'Hallo, {name}!'],
    ],
];
