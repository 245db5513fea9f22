<?php
interface Serializable {
    public function serialize();
    public function unserialize(string $data);
}
