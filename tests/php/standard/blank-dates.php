<?php
// Blanks are no date, as nothing is, but for the constructor; a backslash at the end of a format takes the NUL there.
foreach (['', ' ', "\n\t", ' 2024-01-02 '] as $text) {
    var_dump(strtotime($text) === false, date_parse($text)['errors']);
    try {
        (new DateTime('2020-01-01'))->modify($text);
        echo "modified\n";
    } catch (Exception $e) {
        echo get_class($e), ': ', json_encode($e->getMessage()), "\n";
    }
    try {
        new DateTime($text);
        echo "made\n";
    } catch (Exception $e) {
        echo get_class($e), ': ', json_encode($e->getMessage()), "\n";
    }
}
var_dump(json_encode([date('\\'), gmdate('Y\\', 0), gmdate('\\\\', 0), (new DateTime('2020-01-01'))->format('a\\')]));
