<?php
interface SessionIdInterface {
    public function create_sid(): string;
}
