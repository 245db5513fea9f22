<?php
// PHP-Parser reads source files and prints them anew.
require __DIR__ . '/common.php';

$files = ['Twig/ExpressionParser.php', 'Symfony/Component/Yaml/Inline.php', 'PhpParser/NodeTraverser.php', 'Monolog/Logger.php'];
$sources = array_map(fn ($file) => file_get_contents(Real\root() . '/' . $file), $files);
$parser = (new PhpParser\ParserFactory())->createForNewestSupportedVersion();

Real\measure('parser', 40, function () use ($sources, $parser): string {
    $out = '';
    foreach ($sources as $source) {
        $tree = $parser->parse($source);
        $traverser = new PhpParser\NodeTraverser();
        $traverser->addVisitor(new PhpParser\NodeVisitor\NameResolver());
        $out .= (new PhpParser\PrettyPrinter\Standard())->prettyPrintFile($traverser->traverse($tree));
    }
    return $out;
});
