<?php
function exceptions($a) {
    try {
        f($a);
    } catch (A | B $e) {
        throw $e;
    } catch (C) {
        return g() ?? throw new D;
    } finally {
        echo 'done';
    }
    foreach ($a as $v) {
        try {
            f($v);
        } finally {
            g();
        }
    }
}
