<?php
// A text of nothing but blanks is no time; one without any bytes is now, where an object is made.
foreach ([' ', "\t\n", "\x0b "] as $text) {
    try {
        new DateTime($text);
        echo "made\n";
    } catch (DateMalformedStringException $exception) {
        echo json_encode($exception->getMessage()), "\n";
    }
    var_dump(strtotime($text), date_parse($text)['errors'], date_create_immutable($text));
}
var_dump(new DateTime('') instanceof DateTime, strtotime(''));
