<?php
// Whether there is another node at all comes before whether this one is there.
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
function attempt(callable $f) {
    try { var_dump($f()); } catch (Error $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
$document = new DOMDocument;
$document->loadXML('<a><b/></a>');
foreach ([null, "a", [], new stdClass, $document] as $other) {
    foreach ([$document, new DOMComment('z'), new DOMNode] as $node) {
        attempt(fn() => $node->contains($other));
        attempt(fn() => $node->isEqualNode($other));
        attempt(fn() => $node->isSameNode($other));
    }
}
var_dump($document->saveHTMLFile("/nothing/here"), $document->save("/nothing/here"));
attempt(fn() => $document->C14NFile(""));
$modern = Dom\XMLDocument::createFromString('<a/>');
foreach ([null, "a", 1] as $other) {
    attempt(fn() => get_class($modern->getRootNode($other)));
    attempt(fn() => $modern->importNode($other));
    attempt(fn() => $modern->contains($other));
}
