<?php
// Reported as of the function that was called.
var_dump(filter_var('a', FILTER_VALIDATE_REGEXP, ['options' => ['regexp' => '/(/']]));
var_dump(filter_var_array(['x' => 'a'], ['x' => ['filter' => FILTER_VALIDATE_REGEXP, 'options' => ['regexp' => 'a']]]));
var_dump(filter_var('abc', FILTER_VALIDATE_REGEXP, ['options' => ['regexp' => '/b/']]));
// Letters of all kinds are for what is before the @.
foreach (["\u{e4}@b.com", "a@\u{e4}.com", "user@ex\u{e4}mple.com", "a@b.\u{e4}com", "a@xn--bcher-kva.com", "\u{65e5}\u{672c}@b.com"] as $address) {
    var_dump(filter_var($address, FILTER_VALIDATE_EMAIL, FILTER_FLAG_EMAIL_UNICODE));
}
