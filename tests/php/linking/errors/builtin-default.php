<?php
//: exit 255
class Narrower extends SplFileObject {
    public function fputcsv(array $fields, string $separator = ',', string $enclosure = '"', string $eol = ''): int|false { return 1; }
}
