<?php
// What is before an @ in a URL does not get into messages.
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
foreach (["http://user:secret@127.0.0.1:1/x@y", "http://u@127.0.0.1:1/", "http://127.0.0.1:1/a@b", "zz://ab@q", "nothing@here"] as $url) {
    var_dump(file_get_contents($url));
}
var_dump(opendir("zz://abcd@q"), opendir("http://u:p@h/"));
