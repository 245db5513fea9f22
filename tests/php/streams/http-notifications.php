<?php
// What the context's callback hears of requests.
$server = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($server, false);
if (pcntl_fork() === 0) {
    $answers = [
        "HTTP/1.0 200 OK\r\nContent-Type: text/x\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.0 404 Not Found\r\nContent-Length: 4\r\n\r\nnone",
        "HTTP/1.0 403 Forbidden\r\n\r\n",
        "HTTP/1.0 302 Found\r\nLocation: /next\r\n\r\n",
        "HTTP/1.0 200 OK\r\n\r\nfound",
        "HTTP/1.0 200 OK\r\n\r\nheaders",
    ];
    foreach ($answers as $answer) {
        $client = stream_socket_accept($server);
        $request = '';
        while (!str_contains($request, "\r\n\r\n")) {
            $request .= fread($client, 8192);
        }
        if (str_ends_with($answer, 'headers')) {
            preg_match_all('/^X.*/m', $request, $lines);
            $answer = str_replace('headers', json_encode($lines[0]), $answer);
        }
        fwrite($client, $answer);
        fclose($client);
    }
    posix_kill(posix_getpid(), SIGKILL);
}
$names = [2 => 'connect', 3 => 'auth required', 4 => 'mime type', 5 => 'file size', 6 => 'redirected', 7 => 'progress', 8 => 'completed', 9 => 'failure', 10 => 'auth result'];
$notify = function (...$arguments) use ($names) {
    $arguments[0] = $names[$arguments[0]];
    echo json_encode($arguments), "\n";
};
foreach (['/', '/missing', '/forbidden', '/moved'] as $path) {
    $context = stream_context_create([], ['notification' => $notify]);
    var_dump(@file_get_contents("http://user:word@$address$path", false, $context));
}
// A newline that a value brings along is no end of a header for the client.
$context = stream_context_create(['http' => ['header' => "X-One: a\nX-Two: b\r\nX-Three: c"]]);
var_dump(file_get_contents("http://$address/", false, $context));
pcntl_wait($status);
