<?php
declare(strict_types=1);

namespace Site\Http;

class NotFound extends \RuntimeException
{
    public static function path(string $path): self
    {
        return new self(sprintf('There is nothing at "%s"', htmlspecialchars($path)));
    }
}
