<?php
declare(strict_types=1);

namespace Site\View;

use Site\Config;

final class Messages
{
    public function __construct(private readonly Config $config)
    {
    }

    public function get(string $key, array $values = []): string
    {
        $messages = $this->config->get('messages.' . $this->config->get('locale', 'en'), []);
        $replaced = [];
        foreach ($values as $name => $value) {
            $replaced['{' . $name . '}'] = is_int($value) ? number_format($value) : (string) $value;
        }
        return strtr($messages[$key] ?? $key, $replaced);
    }
}
