<?php
// A tag that another one interrupts is none, and neither is one that does not end.
$file = tempnam(sys_get_temp_dir(), 'meta');
foreach (["<meta name=a content=1\n<meta name=b content=2>", '<meta <meta name=c content=3>', '<meta name=d content=4', '<META NAME="e" content="5">', '<meta<<<'] as $page) {
    file_put_contents($file, $page);
    echo json_encode(get_meta_tags($file)), "\n";
}
unlink($file);
