<?php
// Warnings about properties name the function that runs.
$xml = simplexml_load_string('<r a="1"><i/><i/></r>');
function change($xml)
{
    $xml->i = 'x';
    $xml->i[5] = 'x';
}
change($xml);
(function () use ($xml) {
    $xml->i = 'x';
})();
$xml->i = 'x';
$xml->i[7] = 'x';
class Changer
{
    static function change($xml)
    {
        $xml->i = 'x';
    }
}
Changer::change($xml);
$xml->addChild('empty', '');
echo $xml->asXML();
