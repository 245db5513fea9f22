<?php
// Operands that do not fit are TypeErrors that name both types.
$cases = [
    fn() => [] + 1,
    fn() => "abc" * 2,
    fn() => [] . "",
    fn() => new stdClass + 1,
    fn() => null - 5,
    fn() => true + true,
    fn() => "5 apples" + 1,
    fn() => [1] + [2, 3],
    fn() => [] % 2,
    fn() => -[],
    fn() => ~[],
    fn() => 1.5 % 1,
    fn() => "1e2" | 0,
];
foreach ($cases as $i => $case) {
    try {
        echo $i, ': ';
        var_dump($case());
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    } catch (DivisionByZeroError $e) {
        echo 'division: ', $e->getMessage(), "\n";
    }
}
