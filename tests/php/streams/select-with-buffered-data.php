<?php
// Where something was read already, nothing else is looked at.
[$a, $b] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
[$c, $d] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
fwrite($b, "line1\nline2\n"); echo fgets($a);
$r = ['x' => $a, 'y' => $c]; $w = null; $e = null; var_dump(stream_select($r, $w, $e, 0)); var_dump(array_keys($r));
$r = ['x' => $a, 'y' => $c]; $w = [$d, $b]; $e = [$a]; var_dump(stream_select($r, $w, $e, 0)); var_dump(array_keys($r), count($w), count($e));
$f = fopen('php://temp', 'w+'); fwrite($f, "a\nb\n"); rewind($f); echo fgets($f);
fgets($a);
$r = [$c]; $w = [$d]; var_dump(stream_select($r, $w, $e, 0)); var_dump(count($r), count($w));
fwrite($d, "1\n2\n"); fgets($c); $r = ['p' => $a, 'q' => $c]; $w = null; $e = [$c]; var_dump(stream_select($r, $w, $e, null)); var_dump(array_keys($r), $w, $e);
