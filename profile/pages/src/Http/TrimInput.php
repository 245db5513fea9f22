<?php
declare(strict_types=1);

namespace Site\Http;

final class TrimInput implements Layer
{
    public function process(Request $request, callable $next): Response
    {
        array_walk_recursive($request->body, static function (&$value): void {
            $value = is_string($value) ? trim($value) : $value;
        });
        return $next($request->with('trimmed', true));
    }
}
