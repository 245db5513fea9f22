<?php
// A resolver that has nothing for an external entity is what is wrong with the document.
libxml_set_external_entity_loader(fn($public, $system, $context) => null);
$document = new DOMDocument;
var_dump($document->loadXML('<!DOCTYPE r SYSTEM "nobody.dtd"><r/>', LIBXML_DTDLOAD));
var_dump($document->loadXML("<!DOCTYPE r PUBLIC 'me' 'nobody.dtd'>\n<r/>", LIBXML_DTDLOAD));
libxml_use_internal_errors(true);
$document->loadXML('<!DOCTYPE r SYSTEM "nobody.dtd"><r/>', LIBXML_DTDLOAD);
foreach (libxml_get_errors() as $error) {
    echo $error->level, ' ', $error->code, ' ', $error->line, ' ', $error->message, "\n";
}
