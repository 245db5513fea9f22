<?php
// An element is true for a text alone, though that be blank.
foreach (['<r/>', '<r> </r>', "<r>\n</r>", '<r xml:lang="en"/>', '<r xml:lang="en"> </r>', '<r a="1"/>', '<r>t</r>', '<r><a/></r>', '<r><!--c--></r>', '<r><![CDATA[ ]]></r>'] as $text) {
    $document = simplexml_load_string($text);
    $inside = simplexml_load_string("<q>$text</q>");
    var_dump((bool) $document, (bool) $inside->r, (bool) $inside->r[0], empty($inside->r), json_encode($document));
}
