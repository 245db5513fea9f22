<?php
f());