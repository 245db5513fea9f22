<?php
final class StreamBucket {
    public $bucket = null;
    public string $data;
    public int $datalen;
    public int $dataLength;
}
