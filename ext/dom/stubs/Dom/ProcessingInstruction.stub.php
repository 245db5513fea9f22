<?php
namespace Dom; class ProcessingInstruction extends \Dom\CharacterData {
    public string $target { get {} }
}
