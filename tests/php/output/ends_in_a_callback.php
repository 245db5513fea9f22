<?php
//: exit 255
// What needs a buffer of its own ends the script inside a callback, destructors included.
class Printing {
    function __destruct() {
        echo "not printed\n";
    }
}
echo "first\n";
$object = new Printing;
ob_start(function ($text) use ($object) {
    return highlight_string('<?php', true);
});
echo "lost\n";
ob_end_flush();
echo "not reached\n";
