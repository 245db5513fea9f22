<?php
// http:// against servers of our own: each child answers one connection after the other, and tells the request.
function serve(array $answers): string {
    $server = stream_socket_server('tcp://127.0.0.1:0');
    $address = stream_socket_get_name($server, false);
    if (pcntl_fork() === 0) {
        foreach ($answers as $answer) {
            $client = stream_socket_accept($server, 5);
            $request = '';
            while (!str_contains($request, "\r\n\r\n")) {
                $request .= fread($client, 1024);
            }
            preg_match('/content-length: (\d+)/i', $request, $m);
            $left = ($m[1] ?? 0) - strlen(explode("\r\n\r\n", $request, 2)[1]);
            if ($left > 0) {
                $request .= fread($client, $left);
            }
            fwrite($client, strtr($answer, ['{request}' => str_replace("\r\n", '|', $request), '{address}' => $address]));
            fclose($client);
        }
        exit;
    }
    return $address;
}
function show(string $address, string $path = '/', array $options = []) {
    $context = stream_context_create(['http' => $options]);
    $text = @file_get_contents("http://$address$path", false, $context);
    $failed = $text === false ? preg_replace('/^.*stream: /s', '', error_get_last()['message']) : '';
    $address = preg_replace('/.*@/', '', $address);
    foreach ([json_encode($text), trim($failed), json_encode($http_response_header ?? null)] as $part) {
        echo str_replace($address, '{address}', stripslashes($part)), "\n";
    }
}
$ok = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{request}";
show(serve([$ok]), '/a?b=c#d');
show(serve([$ok]), '/', ['method' => 'POST', 'content' => 'x=1', 'header' => ['X-One: 1', 'Content-Type: text/plain'], 'user_agent' => 'me', 'protocol_version' => 1.0]);
show('user:pass@' . serve([$ok]));
show(serve(["HTTP/1.1 302 Found\r\nLocation: /next\r\n\r\n", $ok]), '/dir/first', ['method' => 'POST', 'content' => 'gone', 'header' => 'Content-Type: a/b']);
show(serve(["HTTP/1.1 307 Again\r\nLocation: http://{address}/other\r\n\r\n", $ok]), '/', ['method' => 'PUT', 'content' => 'kept', 'header' => 'Content-Type: a/b']);
show(serve(["HTTP/1.1 302 Found\r\nLocation: /next\r\n\r\nbody"]), '/', ['follow_location' => 0]);
show(serve(["HTTP/1.1 404 Not Found\r\nA: b\r\n\r\nno"]));
show(serve(["HTTP/1.1 404 Not Found\r\nA: b\r\n\r\nno"]), '/', ['ignore_errors' => true]);
show(serve(["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"]));
show(serve(["HTTP/1.1 200 OK\r\nFolded: one\r\n  two\r\n\r\nx"]));
show(serve(["HTTP/1.1 200 OK\r\nno colon\r\n\r\nx"]));
show(serve(["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nlate"]));
$stream = fopen('http://' . serve([$ok]), 'r');
$meta = stream_get_meta_data($stream);
var_dump($meta['wrapper_type'], $meta['wrapper_data'], $meta['mode'], http_get_last_response_headers());
http_clear_last_response_headers();
var_dump(http_get_last_response_headers());
while (pcntl_wait($status) > 0);
