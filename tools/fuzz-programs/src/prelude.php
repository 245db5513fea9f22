<?php
namespace {
    /** A value cut to a size that stays printable. */
    function small($v, $depth = 0) {
        if (is_string($v)) return strlen($v) > 30 ? substr($v, 0, 30) : $v;
        if (!is_array($v)) return $v;
        if ($depth > 1) return count($v);
        $r = [];
        foreach ($v as $k => $x) {
            if (count($r) >= 8) break;
            $r[is_string($k) ? substr($k, 0, 20) : $k] = small($x, $depth + 1);
        }
        return $r;
    }
    /** A value as text, to a limited depth. */
    function show($v, $depth = 0) {
        if (is_array($v)) {
            if ($depth > 3) return '[..]';
            $r = '[';
            foreach ($v as $k => $x) $r .= (is_string($k) ? "'$k'" : $k) . '=>' . show($x, $depth + 1) . ',';
            return $r . ']';
        }
        if ($v instanceof \Closure || $v instanceof \Generator) return get_class($v);
        if (is_object($v)) return get_class($v) . show(get_object_vars($v), $depth + 1);
        return is_string($v) ? '"' . $v . '"' : var_export($v, true);
    }
    function out(...$values) {
        foreach ($values as $v) echo substr(show($v), 0, 300), ' ';
        echo "\n";
    }
}
