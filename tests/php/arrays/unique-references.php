<?php
// What array_unique() gives refers to nothing that nobody else refers to.
foreach ([SORT_STRING, SORT_REGULAR, SORT_NUMERIC] as $flags) {
    foreach ([['x' => 1], [1, 2, 2], [1, 1, 3]] as $list) {
        foreach ($list as &$r) {
        }
        unset($r);
        $held = &$list[array_key_last($list)];
        $unique = array_unique($list, $flags);
        foreach ($list as &$r) {
            $r = 'changed';
        }
        unset($r);
        echo json_encode([$unique, $list]), "\n";
    }
}
