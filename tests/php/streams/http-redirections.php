<?php
// Redirections of http://: what is asked for anew goes without what is about the content, and another server does not
// learn who asks (nor does the first one, when that leads back).
function listen(): array {
    $server = stream_socket_server('tcp://127.0.0.1:0');
    return [$server, stream_socket_get_name($server, false)];
}
function serve($server, array $answers): void {
    if (pcntl_fork() === 0) {
        foreach ($answers as $answer) {
            $client = stream_socket_accept($server, 5);
            $request = '';
            while (!str_contains($request, "\r\n\r\n")) {
                $request .= fread($client, 1024);
            }
            fwrite($client, str_replace('{request}', str_replace("\r\n", '|', $request), $answer));
            fclose($client);
        }
        exit;
    }
}
function moved(int $code, string $location): string {
    return "HTTP/1.1 $code Moved\r\nLocation: $location\r\n\r\n";
}
function get(string $url, array $options): void {
    echo preg_replace('/127.0.0.1:\d+/', '{address}', file_get_contents($url, false, stream_context_create(['http' => $options]))), "\n";
}
const OK = "HTTP/1.1 200 OK\r\n\r\n{request}";
const WHO = "Authorization: Basic abc\r\nCookie: a=b\r\nX-One: 1\r\nProxy-Authorization: p\r\nCookie2: c\r\nContent-Encoding: x\r\nContent-Type: a/b";
foreach ([302, 307] as $code) {
    echo "-- $code, another server\n";
    [[$first, $a], [$second, $b]] = [listen(), listen()];
    serve($first, [moved($code, "http://$b/next")]);
    serve($second, [OK]);
    get("http://user:word@$a/", ['header' => WHO, 'method' => 'POST', 'content' => 'x']);
    echo "-- $code, another server and back\n";
    [[$first, $a], [$second, $b]] = [listen(), listen()];
    serve($first, [moved($code, "http://$b/next"), OK]);
    serve($second, [moved($code, "http://$a/back")]);
    get("http://$a/", ['header' => WHO]);
    foreach (['/next', 'near?x', '?only', '', 'x', 'http://{address}/all', 'http://user:word@{address}/all'] as $location) {
        echo "-- $code, '$location' of the same server\n";
        [$first, $a] = listen();
        serve($first, [moved($code, str_replace('{address}', $a, $location)), OK]);
        get("http://other:word@$a/dir/page?query", ['header' => 'X-One: 1']);
        [$first, $a] = listen();
        serve($first, [moved($code, str_replace('{address}', $a, $location)), OK]);
        get("http://$a/page?a=/b/c", ['header' => WHO]);
    }
}
foreach (['Authorization: x', "cookie: y\r\n", ['Cookie: y', 'Cookie: z', 'X: 1', 'Cookie: z'], "Authorization : x\r\nX-Cookie: 2", "A: b\r\nproxy-authorization:1"] as $header) {
    [[$first, $a], [$second, $b]] = [listen(), listen()];
    serve($first, [moved(301, "http://$b/next")]);
    serve($second, [OK]);
    get("http://$a/", ['header' => $header]);
}
while (pcntl_wait($status) > 0);
