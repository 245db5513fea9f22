<?php
namespace Dom; class EntityReference extends \Dom\Node {
}
