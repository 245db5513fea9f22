<?php
declare(strict_types=1);

namespace Site\Http;

class Response
{
    public array $headers = ['content-type' => 'text/html; charset=utf-8'];

    public function __construct(public string $body = '', public int $status = 200, array $headers = [])
    {
        foreach ($headers as $name => $value) {
            $this->headers[strtolower($name)] = $value;
        }
    }

    public static function json(mixed $data): static
    {
        return new static(json_encode($data, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES), 200, ['Content-Type' => 'application/json']);
    }

    public static function redirect(string $to): static
    {
        return new static('', 303, ['Location' => $to]);
    }
}
