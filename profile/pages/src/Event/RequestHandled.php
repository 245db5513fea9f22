<?php
declare(strict_types=1);

namespace Site\Event;

use Site\Http\Request;
use Site\Http\Response;

final readonly class RequestHandled
{
    public function __construct(public Request $request, public Response $response)
    {
    }
}
