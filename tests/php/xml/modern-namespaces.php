<?php
$text = '<root xmlns="urn:a"><child xmlns=""><c:child xmlns:c="urn:c"/></child>'
    . '<b:sibling xmlns:b="urn:b" xmlns:d="urn:d" d:foo="bar"><d:child xmlns:d="urn:d2"/></b:sibling></root>';
$document = Dom\XMLDocument::createFromString($text);

foreach (['c:child', 'child', 'b:sibling', 'd:child', 'root'] as $name) {
    echo "== $name\n";
    foreach ($document->getElementsByTagName($name)[0]->getInScopeNamespaces() as $info) {
        echo $info->prefix ?? '-', ' ', $info->namespaceURI, ' ', $info->element->nodeName, "\n";
    }
}
echo "== below\n";
foreach ($document->documentElement->getDescendantNamespaces() as $info) {
    echo $info->prefix ?? '-', ' ', $info->namespaceURI, ' ', $info->element->nodeName, "\n";
}

$xpath = new Dom\XPath($document);
$place = $document->getElementsByTagName('d:child')[0];
foreach (['//b:sibling', '//d:child', '//@d:foo'] as $expression) {
    var_dump($xpath->query($expression, $place)->length);
}

$element = Dom\XMLDocument::createFromString('<x:root xmlns:x="urn:x"/>');
$element->documentElement->innerHTML = '<child><x:inner xmlns:y="urn:y"/></child>';
echo $element->saveXml(), "\n";
foreach (['&none;', '</root>', '<', '<y:unbound/>', '</x:root><x:root>'] as $wrong) {
    try {
        $element->documentElement->innerHTML = $wrong;
    } catch (DOMException $exception) {
        echo $exception->getMessage(), "\n";
    }
}
echo $element->saveXml(), "\n";

$child = $element->documentElement->firstChild;
echo $child->C14N(), "\n";
$child->remove();
try {
    $child->C14N();
} catch (DOMException $exception) {
    echo $exception->getMessage(), "\n";
}

$type = (new Dom\Implementation())->createDocumentType('html', 'public', 'system');
var_dump($type->baseURI, $type->childNodes::class, $type->ownerDocument);
$empty = Dom\XMLDocument::createEmpty();
$empty->append($empty->importNode($type));
echo $empty->saveXml(), "\n";

// What throws while an object is shown is thrown after that.
class Unmade extends DOMXPath
{
    function __construct()
    {
    }
}
try {
    print_r(new Unmade());
} catch (DOMException $exception) {
    echo $exception->getMessage(), "\n";
}

foreach (['', "\0", 'missing'] as $name) {
    try {
        (new DOMXPath(new DOMDocument()))->registerPhpFunctions($name);
    } catch (Throwable $error) {
        echo addcslashes($error->getMessage(), "\0"), "\n";
    }
}

// A text without any element, which the parser was told to make the best of.
$nothing = @simplexml_load_string('text', null, LIBXML_RECOVER);
var_dump($nothing->getDocNamespaces());
try {
    $nothing->xpath('a');
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
