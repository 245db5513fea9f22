<?php
namespace A { f(); }
namespace { g(); }
__halt_compiler ( ) ;raw <?php data "
