<?php
// What XMLWriter writes ends at a NUL; an iterator's argument is told to be no object.
$writer = XMLWriter::toMemory();
$writer->writeElement("a\0b", "x\0y");
$writer->startElement("c\0d");
$writer->writeAttribute("e\0f", 'g');
$writer->endElement();
echo $writer->outputMemory(), "\n";
try {
    $writer->writeElement("\0a", 'x');
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
