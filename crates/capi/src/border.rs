//! The functions that C calls. This is the only unsafe code of congestree, and this is why it is sound:
//!
//! - *Names.* Each function is exported under its own name, which begins with `congestree_`; `congestree.h` reserves
//!   such names for congestree.
//! - *Texts* are read by [`text`]: never if the pointer is null, otherwise up to the terminating zero byte that the
//!   header requires, and copied before anything else happens. The functions that take one are unsafe to call from
//!   Rust.
//! - *Results* are places (`Option<&mut MaybeUninit<T>>`, which for C is a pointer that may be null): writing to one
//!   needs no unsafe code, and no valid value in it before. The header requires that there is room for one value.
//! - *Texts and rows of numbers* go to a buffer whose size the caller states ([`give`]); nothing beyond it is touched.
//! - No pointer from C is kept, and no pointer into Rust is given away: simulations are numbers.
//! - No panic crosses the border: [`answer`] turns one into a failure, and so does every function that works on a
//!   simulation.
#![expect(unsafe_code, reason = "the border to C; the argument is above")]

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int};
use std::mem::MaybeUninit;

use congestree_fabric::live::{InjectedMessage, LiveEvent};

use crate::failure::{Answer, FailureKind};
use crate::sessions;

/// Something that happened, in the form for C.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CNotice {
    /// When it happened (ps).
    at: u64,
    /// The number of the message, or the name of the external event.
    what: u64,
    /// 1: a message was delivered; 2: an external event is due; 0: nothing.
    kind: u32,
}

/// The totals of a simulation, in the form for C.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CResult {
    trajectory: u64,
    results: u64,
    packet_hops: u64,
}

/// The place to which a result for C is written.
type Out<'a, T> = Option<&'a mut MaybeUninit<T>>;

thread_local! {
    /// The error of the last call of this thread that was refused.
    static REASON: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Carries out a call: returns 0, or the kind of the error, whose reason is kept.
fn answer(task: impl FnOnce() -> Answer<()>) -> c_int {
    match sessions::guarded(task) {
        Ok(()) => 0,
        Err(failure) => {
            // A thread that is ending (or code that runs at the program's exit) has no place left to keep it in.
            let _ = REASON.try_with(|kept| kept.replace(failure.reason));
            failure.kind as c_int
        }
    }
}

/// Carries out a call that has a result, if there is a place for it: without one, nothing is done.
fn result<T>(place: Out<'_, T>, task: impl FnOnce() -> Answer<T>) -> c_int {
    answer(|| {
        let place = place.ok_or_else(|| FailureKind::Argument.because("there is no place for the result: give one"))?;
        place.write(task()?);
        Ok(())
    })
}

/// A text of C.
///
/// # Safety
///
/// The pointer is null, or points to bytes that end with a zero and that are not written to during the call.
unsafe fn text(pointer: *const c_char) -> Answer<String> {
    if pointer.is_null() {
        return Err(FailureKind::Argument.because("a text is missing: give one"));
    }
    // Sound: it is not null, and the caller guarantees the rest.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map(str::to_owned).map_err(|_| FailureKind::Argument.because("a text is not in UTF-8: write it so"))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn congestree_open(path: *const c_char, memory: u64, simulation: Out<'_, u64>) -> c_int {
    // Sound: the header requires what `text` requires.
    let path = unsafe { text(path) };
    result(simulation, || {
        let path = path?;
        let unread =
            |error| FailureKind::Scenario.because(format!("{path} cannot be read ({error}): name a scenario file"));
        let whole = std::fs::read_to_string(&path).map_err(unread)?;
        sessions::open(&whole, &path, memory)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn congestree_open_text(scenario: *const c_char, memory: u64, simulation: Out<'_, u64>) -> c_int {
    // Sound: the header requires what `text` requires.
    let scenario = unsafe { text(scenario) };
    result(simulation, || sessions::open(&scenario?, "", memory))
}

#[unsafe(no_mangle)]
extern "C" fn congestree_inject(
    simulation: u64,
    at: u64,
    rank: u32,
    entry: u16,
    from: u32,
    to: u32,
    bytes: u64,
    number: Out<'_, u64>,
) -> c_int {
    result(number, || sessions::inject(simulation, at, InjectedMessage { rank, class: entry, from, to, bytes }))
}

#[unsafe(no_mangle)]
extern "C" fn congestree_schedule(simulation: u64, at: u64, rank: u32, name: u64) -> c_int {
    answer(|| sessions::schedule(simulation, at, rank, name))
}

#[unsafe(no_mangle)]
extern "C" fn congestree_advance(simulation: u64, until: u64, notices: Out<'_, usize>) -> c_int {
    result(notices, || sessions::advance(simulation, until))
}

#[unsafe(no_mangle)]
extern "C" fn congestree_drain(simulation: u64, notices: Out<'_, usize>) -> c_int {
    result(notices, || sessions::drain(simulation))
}

#[unsafe(no_mangle)]
extern "C" fn congestree_fetch(simulation: u64, notice: Out<'_, CNotice>) -> c_int {
    result(notice, || {
        Ok(match sessions::fetch(simulation)? {
            None => CNotice::default(),
            Some((at, LiveEvent::Delivered { number, .. })) => CNotice { at: at.0, what: number, kind: 1 },
            Some((at, LiveEvent::Due(what))) => CNotice { at: at.0, what, kind: 2 },
        })
    })
}

#[unsafe(no_mangle)]
extern "C" fn congestree_now(simulation: u64, now: Out<'_, u64>) -> c_int {
    result(now, || sessions::now(simulation))
}

#[unsafe(no_mangle)]
extern "C" fn congestree_end(simulation: u64, end: Out<'_, u64>) -> c_int {
    result(end, || sessions::end(simulation))
}

#[unsafe(no_mangle)]
extern "C" fn congestree_hosts(simulation: u64, hosts: Out<'_, u32>) -> c_int {
    result(hosts, || sessions::hosts(simulation))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn congestree_host(simulation: u64, name: *const c_char, host: Out<'_, u32>) -> c_int {
    // Sound: the header requires what `text` requires.
    let name = unsafe { text(name) };
    result(host, || sessions::host(simulation, &name?))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn congestree_entry(simulation: u64, name: *const c_char, entry: Out<'_, u16>) -> c_int {
    // Sound: the header requires what `text` requires.
    let name = unsafe { text(name) };
    result(entry, || sessions::entry(simulation, &name?))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn congestree_change(simulation: u64, scenario: *const c_char) -> c_int {
    // Sound: the header requires what `text` requires.
    let scenario = unsafe { text(scenario) };
    answer(|| sessions::change(simulation, &scenario?))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn congestree_observe(
    simulation: u64,
    column: *const c_char,
    values: *mut f64,
    room: usize,
    rows: Out<'_, usize>,
) -> c_int {
    // Sound: the header requires what `text` requires.
    let column = unsafe { text(column) };
    result(rows, || {
        let found = sessions::observe(simulation, &column?)?;
        // Sound: the header requires room for this many values.
        unsafe { give(&found, values, room) };
        Ok(found.len())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn congestree_observe_name(
    simulation: u64,
    column: *const c_char,
    row: usize,
    buffer: *mut c_char,
    room: usize,
    length: Out<'_, usize>,
) -> c_int {
    // Sound: the header requires what `text` requires.
    let column = unsafe { text(column) };
    result(length, || {
        let found = sessions::observe_name(simulation, &column?, row)?;
        // Sound: the header requires a buffer with room for this many bytes.
        unsafe { give_text(&found, buffer, room) };
        Ok(found.len())
    })
}

#[unsafe(no_mangle)]
extern "C" fn congestree_close(simulation: u64, place: Out<'_, CResult>) -> c_int {
    answer(|| {
        let (trajectory, results, packet_hops) = sessions::close(simulation)?;
        if let Some(place) = place {
            place.write(CResult { trajectory, results, packet_hops });
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn congestree_error(buffer: *mut c_char, room: usize) -> usize {
    let reason = REASON.try_with(|kept| kept.borrow().clone()).unwrap_or_default();
    // Sound: the header requires a buffer with room for this many bytes.
    unsafe { give_text(&reason, buffer, room) };
    reason.len()
}

/// Writes as many of these values as there is room for.
///
/// # Safety
///
/// The pointer is null, or points to room for this many values, which is not used elsewhere during the call.
unsafe fn give<T: Copy>(values: &[T], place: *mut T, room: usize) {
    if !place.is_null() {
        // Sound: no more values than exist, and no more than there is room for; the two memories do not overlap.
        unsafe { place.copy_from_nonoverlapping(values.as_ptr(), values.len().min(room)) };
    }
}

/// Writes a text, as far as there is room for it, and a terminating zero.
///
/// # Safety
///
/// As for [`give`].
unsafe fn give_text(text: &str, buffer: *mut c_char, room: usize) {
    if buffer.is_null() || room == 0 {
        return;
    }
    let most = text.len().min(room - 1);
    let length = (0..=most).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    // Sound: by the caller's guarantee, there is room for `length` bytes and the zero.
    unsafe {
        give(&text.as_bytes()[..length], buffer.cast(), room);
        buffer.add(length).write(0);
    }
}
