<?php
// A filter whose onCreate() throws: nothing is said but what was thrown.
class Refusing extends php_user_filter
{
    public function onCreate(): bool
    {
        if ($this->params === 'throw') {
            throw new LogicException('not made');
        }
        return $this->params !== 'refuse';
    }

    public function filter($in, $out, &$consumed, bool $closing): int
    {
        while ($bucket = stream_bucket_make_writeable($in)) {
            $bucket->data = strtoupper($bucket->data);
            $consumed += $bucket->datalen;
            stream_bucket_append($out, $bucket);
        }
        return PSFS_PASS_ON;
    }
}

stream_filter_register('refusing', 'Refusing');
set_error_handler(function ($level, $message) {
    echo "[$level] $message\n";
    return true;
});
foreach (['refuse', 'throw', 'work'] as $what) {
    foreach ([STREAM_FILTER_READ, STREAM_FILTER_ALL] as $mode) {
        $stream = fopen('php://memory', 'w+');
        try {
            var_dump(is_resource(stream_filter_append($stream, 'refusing', $mode, $what)));
        } catch (LogicException $exception) {
            echo $exception->getMessage(), ', then ', $exception->getPrevious()?->getMessage() ?? 'nothing', "\n";
        }
        fwrite($stream, "text\n");
        rewind($stream);
        echo fgets($stream);
    }
}
