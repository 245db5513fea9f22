<?php
// A wrapper written in PHP serves reading, writing and include.
class VariableStream
{
    public $context;
    private static array $files = [];
    private string $name;
    private int $position = 0;

    public function stream_open($path, $mode, $options, &$opened)
    {
        $this->name = $path;
        if ($mode[0] === "w") {
            self::$files[$path] = "";
        }
        return isset(self::$files[$path]);
    }

    public function stream_read($count)
    {
        $part = substr(self::$files[$this->name], $this->position, $count);
        $this->position += strlen($part);
        return $part;
    }

    public function stream_write($data)
    {
        self::$files[$this->name] .= $data;
        return strlen($data);
    }

    public function stream_eof()
    {
        return $this->position >= strlen(self::$files[$this->name]);
    }

    public function stream_stat()
    {
        return [];
    }

    public function stream_set_option($option, $first, $second)
    {
        return false;
    }
}
stream_wrapper_register("var", "VariableStream");
var_dump(file_put_contents("var://code", '<?php return 6 * 7;'));
var_dump(file_get_contents("var://code"));
var_dump(include "var://code");
var_dump(in_array("var", stream_get_wrappers()));
