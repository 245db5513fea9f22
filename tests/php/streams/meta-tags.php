<?php
// Tags of pages as they are written by hand.
$pages = [
    "<meta name=\"author\" content=\"it's me\"><meta name='description' content='say \"hi\"'>\n",
    "<meta name=keywords content=a,b><meta name=\"geo.position\" content=\"49.33;-86.59\"><META NAME=\"upper\" CONTENT=UP>\n",
    "<meta content=\"reversed\" name=\"rev\"><meta name=\"empty\" content=\"\"><meta name=\"none\">\n",
    "<meta name=\"bad' content='x\"><meta name=\"two words\" content=\"multi\nline\"/>\n",
    "<meta name= \"spaced\" content=\"x\"><meta name=\"q\"content='y'>\n",
    "<meta name=\"noend\" content=\"abc\n</head><body><meta name=\"late\" content=\"z\"></body>\n",
    "<p>it's <b>not</b> one</p><meta name=\"after\" content=\"text\"><head/><meta name='<x>' content='b'>",
];
foreach ($pages as $page) {
    echo json_encode(get_meta_tags('data:text/html,' . rawurlencode($page))), "\n";
}
