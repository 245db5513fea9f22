<?php
new final class {};