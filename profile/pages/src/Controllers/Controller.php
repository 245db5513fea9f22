<?php
declare(strict_types=1);

namespace Site\Controllers;

use Site\Http\Response;
use Site\View\Renderer;

abstract class Controller
{
    public function __construct(protected readonly Renderer $view)
    {
    }

    protected function page(string $template, array $data = [], int $status = 200): Response
    {
        return new Response($this->view->render($template, $data), $status);
    }
}
