<?php
foreach ([1e30, -1.5e25, 9.3e18, INF, -INF, NAN] as $timestamp) {
    try {
        var_dump(DateTimeImmutable::createFromTimestamp($timestamp));
    } catch (DateRangeError $error) {
        echo $error->getMessage(), "\n";
    }
}
