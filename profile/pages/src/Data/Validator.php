<?php
declare(strict_types=1);

namespace Site\Data;

class Validator
{
    /** @param array<string, string> $rules */
    public function check(array $input, array $rules): array
    {
        $errors = $clean = [];
        foreach ($rules as $field => $rule) {
            $value = $input[$field] ?? null;
            foreach (explode('|', $rule) as $step) {
                [$name, $argument] = explode(':', $step, 2) + [1 => null];
                $method = 'check' . ucfirst($name);
                try {
                    $value = $this->$method($value, $argument);
                } catch (\UnexpectedValueException $wrong) {
                    $errors[$field][] = $wrong->getMessage();
                    continue 2;
                }
            }
            $clean[$field] = $value;
        }
        return $errors ? throw new Invalid($errors) : $clean;
    }

    private function checkRequired(mixed $value): mixed
    {
        return $value === null || $value === '' ? throw new \UnexpectedValueException('must be given') : $value;
    }

    private function checkMax(mixed $value, string $most): mixed
    {
        $size = is_string($value) ? mb_strlen($value) : $value;
        return $size > (int) $most ? throw new \UnexpectedValueException("must not exceed $most") : $value;
    }

    private function checkInt(mixed $value): int
    {
        return is_numeric($value) ? (int) $value : throw new \UnexpectedValueException('must be a number');
    }

    private function checkList(mixed $value): array
    {
        return array_values(array_filter(array_map('trim', explode(',', (string) $value)), strlen(...)));
    }
}
