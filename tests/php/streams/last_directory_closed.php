<?php
// The directory that was opened last is closed when another one is, by code that may open one.
class Listing
{
    public $context;
    public static ?Closure $last = null;

    public function dir_opendir($path, $options)
    {
        return true;
    }

    public function dir_closedir()
    {
        if (self::$last) {
            $last = self::$last;
            self::$last = null;
            $last();
        }
    }
}
stream_wrapper_register('listing', 'Listing');
opendir('listing://a');
Listing::$last = function () {
    echo "closed\n";
    opendir('listing://b');
};
opendir('listing://c');
closedir();
echo "done\n";
