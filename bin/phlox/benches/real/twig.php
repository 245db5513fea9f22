<?php
// Twig compiles templates (no cache) and renders them.
require __DIR__ . '/common.php';
foreach (['core', 'debug', 'escaper', 'string_loader'] as $functions) {
    @include_once Real\root() . "/Twig/Resources/$functions.php";
}

$templates = [
    'base' => "<html><head><title>{% block title %}none{% endblock %}</title></head><body>{% block body %}{% endblock %}</body></html>",
];
$templates['list'] = <<<'TWIG'
{% extends 'base' %}
{% block title %}{{ title|upper }}{% endblock %}
{% block body %}
<ul>
{% for row in rows %}
  <li class="{{ cycle(['odd', 'even'], loop.index) }}">{{ loop.index }}: {{ row.name|capitalize }} {{ row.price|number_format(2) }}
  {% if row.tags is not empty %}<em>{{ row.tags|join(', ') }}</em>{% else %}-{% endif %}</li>
{% endfor %}
</ul>
{{ include('foot', {total: rows|length}) }}
{% endblock %}
TWIG;
$templates['foot'] = "{% set t = total * 2 %}<p>{{ t ~ ' of ' ~ total }} {{ 'a<b'|escape }}</p>{# note #}";
$rows = [];
for ($i = 0; $i < 40; $i++) {
    $rows[] = ['name' => "row <$i>", 'price' => $i * 1.25, 'tags' => $i % 3 ? ["t$i", 'x'] : []];
}
$loader = new Twig\Loader\ArrayLoader($templates);
$twig = new Twig\Environment($loader, ['cache' => false, 'strict_variables' => true]);

Real\measure('twigc', 150, function () use ($twig, $templates): string {
    $out = '';
    foreach ($templates as $name => $source) {
        $out .= $twig->compileSource(new Twig\Source($source, $name));
    }
    return $out;
});
Real\measure('twigr', 300, fn (): string => $twig->render('list', ['title' => 'a page', 'rows' => $rows]));
