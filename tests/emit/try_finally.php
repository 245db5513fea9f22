<?php
function simple() {
    try {
        return f();
    } catch (A | B $e) {
        return 1;
    } finally {
        g();
    }
}

function in_loop($list) {
    foreach ($list as $v) {
        try {
            if ($v) {
                continue;
            }
            return $v;
        } finally {
            if ($v > 1) {
                return 2;
            }
        }
    }
}

function &by_ref(array &$a) {
    try {
        return $a[0];
    } finally {
        g();
    }
}
