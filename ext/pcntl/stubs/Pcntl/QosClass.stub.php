<?php
namespace Pcntl; enum QosClass {
    case UserInteractive;
    case UserInitiated;
    case Default;
    case Utility;
    case Background;
}
