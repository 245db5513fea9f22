<?php
// Symfony's Yaml reads a document and writes it.
require __DIR__ . '/common.php';

$document = '';
for ($i = 0; $i < 25; $i++) {
    $document .= <<<YAML
    service_$i:
        class: App\\Service\\Number$i
        arguments: ['@logger', "%kernel.dir%/$i", {key: value, list: [1, 2.5, true, ~]}]
        tags:
            - { name: listener, event: "kernel.request", priority: $i }
            - plain
        public: false   # a comment
        text: |
            several lines
            of text $i
        folded: >
            folded
            lines

    YAML;
}

Real\measure('yaml', 80, function () use ($document): string {
    $tree = Symfony\Component\Yaml\Yaml::parse($document);
    return Symfony\Component\Yaml\Yaml::dump($tree, 4);
});
