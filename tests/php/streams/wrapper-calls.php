<?php
// Which methods of a wrapper are called, in which order and with what.
class Base
{
    public $context;
    protected $read = false;

    function stream_open($path, $mode, $options, &$opened)
    {
        echo "open $path $mode $options\n";
        return true;
    }

    function stream_read($size)
    {
        echo "read $size\n";
        if ($this->read) {
            return '';
        }
        $this->read = true;
        return "<?php echo 'included', \"\\n\"; return 5;";
    }

    function stream_eof()
    {
        echo "eof\n";
        return $this->read;
    }

    function stream_close()
    {
        echo "close\n";
    }
}

class Full extends Base
{
    function stream_stat()
    {
        echo "stat\n";
        return ['size' => 0];
    }

    function stream_set_option($option, $first, $second)
    {
        echo "option $option $first $second\n";
        return false;
    }

    function url_stat($path, $flags)
    {
        echo "url_stat $flags\n";
        return str_ends_with($path, 'there') ? ['mode' => 0100644, 'size' => 7] : false;
    }
}

class Sized extends Full
{
    function stream_stat()
    {
        return ['size' => 28];
    }
}

class ThrowsInRead extends Full
{
    function stream_read($size)
    {
        throw new Exception('in read');
    }
}

class ThrowsInEof extends Full
{
    function stream_eof()
    {
        throw new Exception('in eof');
    }
}

class Nothing
{
    public $context;
}

class Magic
{
    public $context;

    function __call($name, $arguments)
    {
        echo $name, json_encode($arguments), "\n";
        return $name === 'stream_open';
    }
}

foreach (['Base', 'Full', 'Sized', 'Nothing'] as $class) {
    $url = strtolower($class) . '://place';
    stream_wrapper_register(strtolower($class), $class);
    $uses = [
        'include' => fn() => include $url,
        'file_get_contents' => fn() => file_get_contents($url),
        'a part' => fn() => file_get_contents($url, false, null, 0, 5),
        'file' => fn() => file($url),
        'readfile' => fn() => readfile($url),
        'fread' => fn() => fread(fopen($url, 'r'), 10),
        'feof' => fn() => feof(fopen($url, 'r')),
        'opendir' => fn() => opendir($url),
        'is_file' => fn() => is_file($url),
        'seek' => fn() => fseek(fopen($url, 'r'), 3),
    ];
    foreach ($uses as $name => $use) {
        echo "--- $class $name\n";
        try {
            var_dump($use());
        } catch (Throwable $exception) {
            echo get_class($exception), ': ', $exception->getMessage(), "\n";
        }
    }
}

foreach (['ThrowsInRead', 'ThrowsInEof'] as $class) {
    echo "--- $class\n";
    stream_wrapper_register(strtolower($class), $class);
    foreach (['file_get_contents', 'file', 'readfile'] as $function) {
        try {
            $function(strtolower($class) . '://place');
        } catch (Exception $exception) {
            echo $exception->getMessage(), "\n";
        }
    }
}

echo "--- what is known of a file is not asked again\n";
var_dump(filesize('full://there'), is_file('full://there'), is_link('full://there'), is_link('full://there'));
clearstatcache();
var_dump(filesize('full://there'), file_exists('full://elsewhere'), filesize('full://there'));

stream_wrapper_register('magic', 'Magic');
foreach (['r', 'a', 'w+'] as $mode) {
    echo "--- $mode\n";
    $stream = fopen('magic://x', $mode);
    var_dump(fwrite($stream, 'abc'), fread($stream, 3), fflush($stream), feof($stream));
    fclose($stream);
}
echo "--- writing\n";
var_dump(file_put_contents('magic://x', 'hello'));
var_dump(file_put_contents('magic://x', 'hello', FILE_APPEND));
var_dump(file_put_contents('magic://x', 'hello', LOCK_EX));
var_dump(copy('magic://x', 'magic://y'));
mkdir('magic://d', 0700, true);
rmdir('magic://d');
chown('magic://x', 'root');
chgrp('magic://x', 1);
$stream = fopen('magic://x', 'r');
stream_set_write_buffer($stream, 0);
stream_set_read_buffer($stream, 0);
