<?php
// Escaping for HTML and back, by document type and flags.
$texts = ['<a href="x">\'q\'</a> & &amp; é ñ €', "bad\xc3 utf\xe2\x82", '&eacute;&#39;&#x27;&apos;&nbsp;&euro;&unknown;&#0;&copy'];
foreach ([ENT_QUOTES, ENT_COMPAT, ENT_NOQUOTES, ENT_QUOTES | ENT_HTML5, ENT_QUOTES | ENT_XML1, ENT_QUOTES | ENT_XHTML | ENT_SUBSTITUTE, ENT_IGNORE] as $flags) {
    foreach ($texts as $text) {
        echo $flags, " ", htmlspecialchars($text, $flags), "\n", htmlentities($text, $flags), "\n";
        echo htmlspecialchars($text, $flags, 'UTF-8', false), "\n", htmlspecialchars_decode($text, $flags), "\n";
        echo html_entity_decode($text, $flags), "\n";
    }
}
echo htmlentities("caf\xe9", ENT_QUOTES, 'ISO-8859-1'), "\n", strip_tags('<p>Hello <b>bold</b> <!-- c --> <?php echo 1 ?>x</p>', '<b>'), "\n";
