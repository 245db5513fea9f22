<?php
echo gregoriantojd(10, 11, 1970), ' ', jdtogregorian(2440871), ' ', jdtojulian(2440871), ' ', jdtofrench(2375840), "\n";
echo jdtojewish(2440871), ' ', jddayofweek(2440871, 1), ' ', jdmonthname(2440871, 0), ' ', cal_days_in_month(CAL_GREGORIAN, 2, 2024), "\n";
echo date('Y-m-d', easter_date(2024)), ' ', easter_days(1999), ' ', unixtojd(86400), ' ', jdtounix(2440589), "\n";
echo json_encode(cal_from_jd(2451545, CAL_JULIAN)), "\n";
