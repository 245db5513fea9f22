<?php
// The context for documents counts for those that are written, too, and a wrapper is asked whether there is something to read.
class Store
{
    public $context;
    static $there = true;

    function stream_open($path, $mode)
    {
        echo "open $path $mode ", json_encode(stream_context_get_options($this->context)), "\n";
        return true;
    }
    function stream_read($size)
    {
        return '';
    }
    function stream_eof()
    {
        return true;
    }
    function stream_write($data)
    {
        echo 'write ', json_encode($data), "\n";
        return strlen($data);
    }
    function stream_close()
    {
        echo "close\n";
    }
    function url_stat($path, $flags)
    {
        echo "stat $path $flags\n";
        return self::$there ? [] : false;
    }
}
stream_wrapper_register('store', 'Store');
libxml_set_streams_context(stream_context_create(['store' => ['key' => 1]]));
$writer = new XMLWriter;
var_dump($writer->openUri('store://one'));
$writer->startDocument();
$writer->writeElement('a', 'b');
$writer->endDocument();
echo "ended\n";
unset($writer);
$writer = XMLWriter::toUri('store://two');
$writer->writeElement('c');
unset($writer);
$document = new DOMDocument;
$document->loadXML('<a/>');
$document->save('store://three');
simplexml_load_string('<q/>')->asXML('store://four');
foreach ([true, false] as Store::$there) {
    var_dump(@simplexml_load_file('store://five'));
    var_dump(@(new DOMDocument)->load('store://six'));
}
