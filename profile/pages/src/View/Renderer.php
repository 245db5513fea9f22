<?php
declare(strict_types=1);

namespace Site\View;

use Site\Config;

final class Renderer
{
    public function __construct(private readonly Config $config, private readonly Messages $messages)
    {
    }

    public function render(string $template, array $data = []): string
    {
        $section = new Section($this->config->get('name'));
        $content = $this->part($template, $data + ['section' => $section]);
        return $this->part('layout', ['section' => $section, 'content' => $content]);
    }

    public function part(string $template, array $data): string
    {
        extract($data);
        ob_start();
        try {
            include $this->config->get('services.view.path') . "/$template.php";
        } finally {
            $text = ob_get_clean();
        }
        return $text;
    }

    public function e(string|int|null $text): string
    {
        return htmlspecialchars((string) $text, $this->config['services.view.escape'], 'UTF-8');
    }

    public function t(string $key, array $values = []): string
    {
        return $this->messages->get($key, $values);
    }
}
