<?php
// A filter's resource goes with the filter, whoever closes that.
class F extends php_user_filter {
    public function onClose(): void { echo "close\n"; }
    public function filter($in, $out, &$consumed, bool $closing): int {
        while ($bucket = stream_bucket_make_writeable($in)) { $consumed += $bucket->datalen; stream_bucket_append($out, $bucket); }
        return PSFS_PASS_ON;
    }
    public function onCreate(): bool { var_dump($this->filtername, $this->params); return true; }
}
stream_filter_register('f', 'F');
foreach (['f', 'string.toupper'] as $name) {
    $file = fopen('php://memory', 'w+');
    $filter = stream_filter_append($file, $name, STREAM_FILTER_WRITE);
    fwrite($file, 'abc');
    var_dump(is_resource($filter), get_resource_type($filter));
    fclose($file);
    var_dump(is_resource($filter), get_resource_type($filter));
    try { stream_filter_remove($filter); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
    $file = fopen('php://memory', 'w+');
    $first = stream_filter_append($file, $name, STREAM_FILTER_WRITE, ['x' => 1]);
    $second = stream_filter_prepend($file, $name, STREAM_FILTER_READ, null);
    var_dump(stream_filter_remove($first), is_resource($first), is_resource($second));
    unset($file, $second);
    $file = fopen('php://memory', 'w+');
    stream_filter_append($file, $name, STREAM_FILTER_READ);
    fwrite($file, 'kept'); rewind($file); var_dump(fread($file, 10));
    unset($file);
}
