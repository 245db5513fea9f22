<?php
// Composer's Semver parses constraints and compares versions.
require __DIR__ . '/common.php';

$constraints = ['^1.2.3', '~2.0 || ^3.1', '>=1.0 <2.0 || >=2.5@beta', '1.2.*', '!=1.5,>1.0', 'dev-main', '1.0 - 2.0'];
$versions = [];
for ($i = 0; $i < 12; $i++) {
    $versions[] = ($i % 4) . '.' . ($i % 7) . ".$i" . ($i % 5 ? '' : '-beta1');
}

Real\measure('semver', 200, function () use ($constraints, $versions): string {
    $out = '';
    $parser = new Composer\Semver\VersionParser();
    foreach ($constraints as $constraint) {
        $parsed = $parser->parseConstraints($constraint);
        $out .= $parsed . ' ' . implode(',', Composer\Semver\Semver::satisfiedBy($versions, $constraint)) . "\n";
    }
    return $out . implode(',', Composer\Semver\Semver::sort($versions));
});
