<?php
declare(strict_types=1);

namespace Site\Http;

interface Layer
{
    public function process(Request $request, callable $next): Response;
}
