<?php
namespace Dom; class CDATASection extends \Dom\Text {
}
