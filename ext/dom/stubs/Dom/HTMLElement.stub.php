<?php
namespace Dom; class HTMLElement extends \Dom\Element {
}
