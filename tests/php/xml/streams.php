<?php
// The reader.
$reader = XMLReader::fromString('<a x="1"><b>t</b><b/></a>');
while ($reader->read()) {
    echo $reader->depth, ' ', $reader->nodeType, ' ', $reader->name, ' ', $reader->value, "\n";
    if ($reader->name === 'a' && $reader->nodeType === XMLReader::ELEMENT) {
        echo $reader->getAttribute('x'), ' ', $reader->readOuterXml(), "\n";
    }
}

// The writer.
$writer = new XMLWriter;
$writer->openMemory();
$writer->setIndent(true);
$writer->startDocument('1.0', 'UTF-8');
$writer->startElement('a');
$writer->writeAttribute('x', '<1>');
$writer->writeElementNs('n', 'b', 'urn:n', 'text');
$writer->writeComment('c');
$writer->endElement();
$writer->endDocument();
echo $writer->outputMemory();
try {
    $writer->startElement('1 2');
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}

// The parser with handlers.
$parser = xml_parser_create();
xml_set_element_handler(
    $parser,
    function ($parser, $name, $attributes) { echo "<$name ", json_encode($attributes), ">\n"; },
    function ($parser, $name) { echo "</$name>\n"; },
);
xml_set_character_data_handler($parser, function ($parser, $text) { echo "[$text]\n"; });
var_dump(xml_parse($parser, '<a b="c">te'), xml_parse($parser, 'xt</a>', true));

$parser = xml_parser_create();
xml_parse_into_struct($parser, '<a><b>1</b><b k="v"/></a>', $values, $index);
echo json_encode($values), "\n", json_encode($index), "\n";
$parser = xml_parser_create();
var_dump(xml_parse($parser, '<a></b>', true), xml_error_string(xml_get_error_code($parser)));
