//! Queues of messages, semaphores and memory that processes share by a key (System V).

use crate::last_error;
use std::mem::zeroed;
use std::ptr;

/// What the system says went wrong, by its number.
type Answer<T> = Result<T, i32>;

fn checked(result: i32) -> Answer<i32> {
    if result < 0 { Err(last_error()) } else { Ok(result) }
}

/// Flags of [`MessageQueue::receive`] and [`MessageQueue::send`]: do not wait.
pub const NO_WAIT: i32 = libc::IPC_NOWAIT;
/// Messages that are too long are cut.
pub const CUT: i32 = libc::MSG_NOERROR;
/// Messages of all other types are wanted.
pub const EXCEPT: i32 = libc::MSG_EXCEPT;
/// The error that nothing is there now.
pub const TRY_AGAIN: i32 = libc::EAGAIN;
/// The error that there is no message of the type.
pub const NO_MESSAGE: i32 = libc::ENOMSG;
/// The error that a signal came while waiting.
pub const INTERRUPTED: i32 = libc::EINTR;

/// A queue of messages.
#[derive(Clone, Copy, Debug)]
pub struct MessageQueue(i32);

/// What the system tells of a queue.
#[derive(Clone, Copy, Debug)]
pub struct QueueStatus {
    pub owner: u32,
    pub group: u32,
    pub mode: u32,
    pub sent: i64,
    pub received: i64,
    pub changed: i64,
    pub messages: u64,
    /// Bytes that the queue may hold.
    pub capacity: u64,
    pub last_sender: i32,
    pub last_receiver: i32,
}

impl MessageQueue {
    /// The queue of a key, if there is one.
    pub fn find(key: i32) -> Answer<MessageQueue> {
        // SAFETY: the call takes numbers alone.
        checked(unsafe { libc::msgget(key, 0) }).map(MessageQueue)
    }

    /// A new queue for a key that has none.
    pub fn create(key: i32, permissions: i32) -> Answer<MessageQueue> {
        // SAFETY: the call takes numbers alone.
        checked(unsafe { libc::msgget(key, libc::IPC_CREAT | libc::IPC_EXCL | permissions) }).map(MessageQueue)
    }

    /// Sends a message. Types are greater than 0.
    pub fn send(self, kind: i64, message: &[u8], flags: i32) -> Answer<()> {
        let mut buffer = kind.to_ne_bytes().to_vec();
        buffer.extend_from_slice(message);
        // SAFETY: the buffer has the type and as many bytes behind it as are announced; it is only read.
        checked(unsafe { libc::msgsnd(self.0, buffer.as_ptr().cast(), message.len(), flags) }).map(drop)
    }

    /// Takes a message of at most `most` bytes: its type and its bytes.
    pub fn receive(self, kind: i64, most: usize, flags: i32) -> Answer<(i64, Vec<u8>)> {
        const HEAD: usize = size_of::<i64>();
        let mut buffer: Vec<u8> = Vec::new();
        let size = HEAD.saturating_add(most);
        buffer.try_reserve_exact(size).map_err(|_| libc::ENOMEM)?;
        buffer.resize(size, 0);
        // SAFETY: the buffer has room for the type and for as many bytes as are asked for.
        let length = unsafe { libc::msgrcv(self.0, buffer.as_mut_ptr().cast(), most, kind, flags) };
        let Ok(length) = usize::try_from(length) else { return Err(last_error()) };
        let kind = i64::from_ne_bytes(buffer[..HEAD].try_into().unwrap_or_default());
        buffer.truncate(HEAD + length);
        buffer.drain(..HEAD);
        Ok((kind, buffer))
    }

    fn structure(self) -> Answer<libc::msqid_ds> {
        // SAFETY: the structure lies in this frame (rule 3 of SAFETY.md), and zero is valid for all of its fields.
        unsafe {
            let mut status: libc::msqid_ds = zeroed();
            checked(libc::msgctl(self.0, libc::IPC_STAT, &mut status)).map(|_| status)
        }
    }

    /// What the system tells of the queue.
    pub fn status(self) -> Answer<QueueStatus> {
        let status = self.structure()?;
        Ok(QueueStatus {
            owner: status.msg_perm.uid,
            group: status.msg_perm.gid,
            mode: u32::from(status.msg_perm.mode),
            sent: status.msg_stime,
            received: status.msg_rtime,
            changed: status.msg_ctime,
            messages: status.msg_qnum,
            capacity: status.msg_qbytes,
            last_sender: status.msg_lspid,
            last_receiver: status.msg_lrpid,
        })
    }

    /// Changes owner, permissions and capacity; the rest is not looked at.
    pub fn change(self, to: &QueueStatus) -> Answer<()> {
        let mut status = self.structure()?;
        (status.msg_perm.uid, status.msg_perm.gid) = (to.owner, to.group);
        status.msg_perm.mode = to.mode as u16;
        status.msg_qbytes = to.capacity;
        // SAFETY: the structure lies in this frame, and the system gave it.
        checked(unsafe { libc::msgctl(self.0, libc::IPC_SET, &mut status) }).map(drop)
    }

    /// Removes the queue.
    pub fn remove(self) -> Answer<()> {
        // SAFETY: this command takes no structure.
        checked(unsafe { libc::msgctl(self.0, libc::IPC_RMID, ptr::null_mut()) }).map(drop)
    }
}

/// A set of semaphores.
#[derive(Clone, Copy, Debug)]
pub struct Semaphores(i32);

/// A step of an operation: which semaphore, and how it changes; 0 waits for zero. The flag says whether the system takes the
/// change back when the process ends.
pub type SemaphoreStep = (u16, i16, bool);

impl Semaphores {
    /// The set of a key, which is made if it is not there.
    pub fn open(key: i32, count: i32, permissions: i32) -> Answer<Semaphores> {
        // SAFETY: the call takes numbers alone.
        checked(unsafe { libc::semget(key, count, permissions | libc::IPC_CREAT) }).map(Semaphores)
    }

    /// Takes all steps at once; waits for that unless told not to.
    pub fn change(self, steps: &[SemaphoreStep], waits: bool) -> Answer<()> {
        let flags = |undone: bool| if undone { libc::SEM_UNDO } else { 0 } | if waits { 0 } else { libc::IPC_NOWAIT };
        let step =
            |step: &SemaphoreStep| libc::sembuf { sem_num: step.0, sem_op: step.1, sem_flg: flags(step.2) as i16 };
        let mut steps: Vec<libc::sembuf> = steps.iter().map(step).collect();
        // SAFETY: the length is that of the list, which lives through the call.
        checked(unsafe { libc::semop(self.0, steps.as_mut_ptr(), steps.len()) }).map(drop)
    }

    /// The value of a semaphore.
    pub fn value(self, which: i32) -> Answer<i32> {
        // SAFETY: this command takes no further argument.
        checked(unsafe { libc::semctl(self.0, which, libc::GETVAL) })
    }

    /// Sets a semaphore.
    pub fn set_value(self, which: i32, value: i32) -> Answer<()> {
        // SAFETY: this command takes a number, which is passed as one.
        checked(unsafe { libc::semctl(self.0, which, libc::SETVAL, value) }).map(drop)
    }

    /// Is the set still there?
    pub fn exists(self) -> bool {
        // SAFETY: the structure lies in this frame (rule 3 of SAFETY.md), and zero is valid for all of its fields.
        unsafe {
            let mut status: libc::semid_ds = zeroed();
            libc::semctl(self.0, 0, libc::IPC_STAT, &mut status as *mut libc::semid_ds) >= 0
        }
    }

    /// Removes the set.
    pub fn remove(self) -> Answer<()> {
        // SAFETY: this command takes no further argument.
        checked(unsafe { libc::semctl(self.0, 0, libc::IPC_RMID) }).map(drop)
    }
}

/// Memory of a key, which may not be there yet.
#[derive(Clone, Copy, Debug)]
pub struct Segment(i32);

impl Segment {
    /// The memory of a key, with the system's flags besides permissions.
    pub fn open(key: i32, size: usize, permissions: i32, creates: bool, must_be_new: bool) -> Answer<Segment> {
        let create = if creates { libc::IPC_CREAT } else { 0 };
        let exclusive = if must_be_new { libc::IPC_EXCL } else { 0 };
        // SAFETY: the call takes numbers alone.
        checked(unsafe { libc::shmget(key, size, permissions | create | exclusive) }).map(Segment)
    }

    /// The number of the memory.
    pub fn id(self) -> i32 {
        self.0
    }

    /// The size that the system tells.
    pub fn size(self) -> Answer<usize> {
        // SAFETY: the structure lies in this frame (rule 3 of SAFETY.md), and zero is valid for all of its fields.
        unsafe {
            let mut status: libc::shmid_ds = zeroed();
            checked(libc::shmctl(self.0, libc::IPC_STAT, &mut status)).map(|_| status.shm_segsz)
        }
    }

    /// Makes the memory a part of this process.
    pub fn attach(self, read_only: bool) -> Answer<SharedMemory> {
        let size = self.size()?;
        let flags = if read_only { libc::SHM_RDONLY } else { 0 };
        // SAFETY: the system chooses an address that is free.
        let start = unsafe { libc::shmat(self.0, ptr::null(), flags) };
        if start as isize == -1 {
            return Err(last_error());
        }
        Ok(SharedMemory { start: start.cast(), size, read_only })
    }

    /// Removes the memory when no process uses it any more.
    pub fn remove(self) -> Answer<()> {
        // SAFETY: this command takes no structure.
        checked(unsafe { libc::shmctl(self.0, libc::IPC_RMID, ptr::null_mut()) }).map(drop)
    }
}

/// Memory that other processes may change at any time: nothing borrows it, and bytes are copied one by one.
#[derive(Debug)]
pub struct SharedMemory {
    start: *mut u8,
    size: usize,
    read_only: bool,
}

impl SharedMemory {
    /// Number of its bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Can it be written to?
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// A copy of bytes; those outside are left out.
    pub fn read(&self, offset: usize, length: usize) -> Vec<u8> {
        let offset = offset.min(self.size);
        let length = length.min(self.size - offset);
        // SAFETY: rule 12 of SAFETY.md; the bytes lie inside of the mapping.
        (0..length).map(|index| unsafe { self.start.add(offset + index).read_volatile() }).collect()
    }

    /// Writes bytes; those that would be outside are left out. Gives how many were written.
    pub fn write(&self, offset: usize, bytes: &[u8]) -> usize {
        if self.read_only {
            return 0;
        }
        let offset = offset.min(self.size);
        let length = bytes.len().min(self.size - offset);
        for (index, byte) in bytes[..length].iter().enumerate() {
            // SAFETY: rule 12 of SAFETY.md; the bytes lie inside of the mapping, which can be written to.
            unsafe { self.start.add(offset + index).write_volatile(*byte) };
        }
        length
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        // SAFETY: rule 12 of SAFETY.md; nothing points into the mapping.
        unsafe { libc::shmdt(self.start.cast()) };
    }
}
