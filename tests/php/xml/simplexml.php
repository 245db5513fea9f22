<?php
$shop = simplexml_load_string('<shop name="corner"><item price="2">tea</item><item price="3">milk</item><empty/></shop>');
echo $shop['name'], ' ', $shop->item, ' ', $shop->item[1], ' ', count($shop->item), "\n";
foreach ($shop->item as $name => $item) {
    echo $name, ': ', $item, ' ', (int) $item['price'], "\n";
}
$shop->item[0] = 'green tea';
$shop->item[1]['price'] = 4;
$shop->item[] = 'bread';
$shop->note->text = 'fresh';
$shop->addChild('last', 'a &amp; b')->addAttribute('x', 'y');
unset($shop->empty, $shop['name']);
echo $shop->asXML();
var_dump(isset($shop->item[2]), isset($shop->item[3]), isset($shop->nothing), (bool) $shop->item);
var_dump($shop->note);
echo json_encode($shop), "\n";
foreach ($shop->xpath('//item[@price]') as $item) {
    echo $item->getName(), ' ', $item['price'], "\n";
}
var_dump($shop->item[0] == $shop->item[0], dom_import_simplexml($shop->note)->nodeName);
