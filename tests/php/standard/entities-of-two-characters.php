<?php
// Only UTF-8 has room for an entity of two characters.
foreach (['UTF-8', 'ISO-8859-1', 'cp1252', 'KOI8-R', 'BIG5'] as $charset) {
    echo bin2hex(html_entity_decode('&fjlig;&bne;&lt;', ENT_QUOTES | ENT_HTML5, $charset)), "\n";
}
