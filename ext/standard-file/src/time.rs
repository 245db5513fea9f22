//! Clocks and waiting.

use phlox_runtime::{Call, Callee, FnDef, PhpArr, PhpResult, Val, Vm};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("microtime(bool $as_float = false): string|float", microtime),
    FnDef::new("gettimeofday(bool $as_float = false): array|float", gettimeofday),
    FnDef::new("hrtime(bool $as_number = false): array|int|float|false", hrtime),
    FnDef::new("sleep(int $seconds): int", sleep),
    FnDef::new("usleep(int $microseconds): void", usleep),
    FnDef::new("time_nanosleep(int $seconds, int $nanoseconds): array|bool", time_nanosleep),
    FnDef::new("time_sleep_until(float $timestamp): bool", time_sleep_until),
    FnDef::new("uniqid(string $prefix = \"\", bool $more_entropy = false): string", uniqid),
];

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

fn microtime(call: &mut Call<'_>) -> PhpResult<Val> {
    let now = now();
    if call.bool(0) {
        return Ok(Val::double(now.as_secs() as f64 + now.subsec_micros() as f64 / 1e6));
    }
    Ok(format!("{:.8} {}", now.subsec_micros() as f64 / 1e6, now.as_secs()).into())
}

/// The number that `date` gives for a format letter.
fn local(vm: &Vm, letter: &str, timestamp: i64) -> PhpResult<i64> {
    let Some(date) = vm.find_function(b"date") else { return Ok(0) };
    let text = vm.call(&Callee::function(date), vec![letter.into(), Val::int(timestamp)])?;
    Ok(text.as_str().and_then(|text| std::str::from_utf8(text).ok()?.parse().ok()).unwrap_or(0))
}

fn gettimeofday(call: &mut Call<'_>) -> PhpResult<Val> {
    let now = now();
    if call.bool(0) {
        return Ok(Val::double(now.as_secs() as f64 + now.subsec_micros() as f64 / 1e6));
    }
    let mut array = PhpArr::new();
    array.set_bytes(b"sec", Val::int(now.as_secs() as i64));
    array.set_bytes(b"usec", Val::int(now.subsec_micros() as i64));
    let number = |letter: &str| local(call.vm, letter, now.as_secs() as i64);
    array.set_bytes(b"minuteswest", Val::int(-number("Z")? / 60));
    array.set_bytes(b"dsttime", Val::int(number("I")?));
    Ok(array.into())
}

fn hrtime(call: &mut Call<'_>) -> PhpResult<Val> {
    let clock = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    if call.bool(0) {
        return Ok(Val::int(clock.tv_sec * 1_000_000_000 + clock.tv_nsec));
    }
    Ok(PhpArr::from_vec(vec![Val::int(clock.tv_sec), Val::int(clock.tv_nsec)]).into())
}

/// Sleeps. A signal ends that early; then the rest of the time is given.
fn nap(call: &Call<'_>, length: Duration) -> PhpResult<Option<Duration>> {
    call.vm.output.before_waiting();
    phlox_runtime::ob::notice_lost(call.vm);
    let length = rustix::thread::Timespec {
        tv_sec: length.as_secs().min(i64::MAX as u64) as i64,
        tv_nsec: length.subsec_nanos().into(),
    };
    let left = match rustix::thread::nanosleep(&length) {
        rustix::thread::NanosleepRelativeResult::Interrupted(left) => {
            Some(Duration::new(left.tv_sec as u64, left.tv_nsec as u32))
        }
        _ => None,
    };
    if phlox_runtime::interrupt::is_raised(phlox_runtime::interrupt::SIGNAL) {
        call.vm.handle_signals()?;
    }
    Ok(left)
}

fn sleep(call: &mut Call<'_>) -> PhpResult<Val> {
    let Ok(seconds) = u64::try_from(call.int(0)) else {
        return Err(call.value_error(0, "must be greater than or equal to 0"));
    };
    let left = nap(call, Duration::from_secs(seconds))?;
    Ok(Val::int(left.map_or(0, |left| left.as_secs_f64().round() as i64)))
}

fn usleep(call: &mut Call<'_>) -> PhpResult<Val> {
    let Ok(microseconds) = u64::try_from(call.int(0)) else {
        return Err(call.value_error(0, "must be greater than or equal to 0"));
    };
    nap(call, Duration::from_micros(microseconds))?;
    Ok(Val::NULL)
}

fn time_nanosleep(call: &mut Call<'_>) -> PhpResult<Val> {
    let (seconds, nanoseconds) = (call.int(0), call.int(1));
    if seconds < 0 {
        return Err(call.value_error(0, "must be greater than or equal to 0"));
    }
    if nanoseconds < 0 {
        return Err(call.value_error(1, "must be greater than or equal to 0"));
    }
    if nanoseconds >= 1_000_000_000 {
        let text = b"Nanoseconds was not in the range 0 to 999 999 999 or seconds was negative";
        return Err(call.vm.throw_value_error(text));
    }
    let Some(left) = nap(call, Duration::new(seconds as u64, nanoseconds as u32))? else { return Ok(Val::TRUE) };
    let mut array = PhpArr::new();
    array.set_bytes(b"seconds", Val::int(left.as_secs() as i64));
    array.set_bytes(b"nanoseconds", Val::int(left.subsec_nanos().into()));
    Ok(array.into())
}

fn time_sleep_until(call: &mut Call<'_>) -> PhpResult<Val> {
    let left = call.double(0) - now().as_secs_f64();
    if left <= 0.0 {
        call.warning("Argument #1 ($timestamp) must be greater than or equal to the current time")?;
        return Ok(Val::FALSE);
    }
    std::thread::sleep(Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX));
    Ok(Val::TRUE)
}

fn uniqid(call: &mut Call<'_>) -> PhpResult<Val> {
    let more = call.bool(1);
    if !more {
        // Two calls in the same microsecond would give the same id.
        std::thread::sleep(Duration::from_micros(1));
    }
    let now = now();
    let mut text = format!("{}{:08x}{:05x}", call.str(0), now.as_secs(), now.subsec_micros());
    if more {
        text.push_str(&format!("{:.8}", (now.subsec_nanos() % 1_000_000_000) as f64 / 1e8));
    }
    Ok(text.into())
}
