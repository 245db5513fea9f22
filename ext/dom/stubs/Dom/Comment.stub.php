<?php
namespace Dom; class Comment extends \Dom\CharacterData {
}
