<?php
namespace Random\Engine; final class Secure implements \Random\CryptoSafeEngine {
    #[real_return] public function generate(): string {}
}
