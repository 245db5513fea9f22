<?php
// What is open at the end is written and closed, the newest first.
class Noisy
{
    public $context;
    private string $path;
    public function stream_open($path)
    {
        $this->path = $path;
        return true;
    }
    public function stream_write($data)
    {
        echo $this->path, ' gets ', strlen($data), " bytes\n";
        return strlen($data);
    }
    public function stream_close()
    {
        echo $this->path, " closes\n";
    }
}
class Last extends php_user_filter
{
    public function filter($in, $out, &$consumed, bool $closing): int
    {
        while ($bucket = stream_bucket_make_writeable($in)) {
            $consumed += $bucket->datalen;
            stream_bucket_append($out, $bucket);
        }
        return PSFS_PASS_ON;
    }
    public function onClose(): void
    {
        echo "filter closes\n";
    }
}
stream_wrapper_register('noisy', Noisy::class);
stream_filter_register('last', Last::class);
$name = tempnam(sys_get_temp_dir(), 'phl');
$reader = popen('sleep 0.2; gzip -dc ' . escapeshellarg($name) . '; rm ' . escapeshellarg($name), 'w');
$first = fopen('noisy://first', 'w');
$second = fopen('noisy://second', 'w');
fwrite($second, 'text');
$filtered = fopen('php://memory', 'w');
stream_filter_append($filtered, 'last');
$packed = gzopen($name, 'w');
gzwrite($packed, "compressed\n");
register_shutdown_function(fn() => print "shutdown\n");
echo "end\n";
