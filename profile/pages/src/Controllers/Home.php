<?php
declare(strict_types=1);

namespace Site\Controllers;

use Site\Data\Entries as Repository;
use Site\Http\Request;
use Site\Http\Response;
use Site\Http\Route;
use Site\View\Renderer;

final class Home extends Controller
{
    public function __construct(Renderer $view, private readonly Repository $entries)
    {
        parent::__construct($view);
    }

    #[Route('/')]
    public function index(Request $request): Response
    {
        return $this->page('home', ['name' => $request->query['name'] ?? 'you', 'latest' => $this->entries->latest(3)]);
    }

    #[Route('/search')]
    public function search(Request $request): Response
    {
        $words = preg_split('/\s+/', mb_strtolower((string) ($request->query['q'] ?? '')), -1, PREG_SPLIT_NO_EMPTY);
        $found = $this->entries->find(static function ($entry) use ($words): bool {
            foreach ($words as $word) {
                if (!str_contains(strtolower($entry->title . ' ' . $entry->body), $word)) {
                    return false;
                }
            }
            return true;
        });
        return $this->page('list', ['entries' => iterator_to_array($found, false), 'page' => 1, 'pages' => 1]);
    }
}
