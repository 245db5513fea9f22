<?php
declare(strict_types=1);

namespace Site\Data;

final class Invalid extends \DomainException
{
    public function __construct(public readonly array $errors)
    {
        parent::__construct(implode(', ', array_keys($errors)));
    }
}
