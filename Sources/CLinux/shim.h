// SPDX-License-Identifier: MIT
#pragma once
// Headers that Swift's Glibc module leaves out.
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

// Variadic: Swift cannot call syscall(2), and not every supported glibc has this wrapper.
static inline int clinux_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// GNU extensions, which the importer compiles without.
int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *limit, const sigset_t *mask);
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *end);
int memfd_create(const char *name, unsigned flags);
static const unsigned clinux_memfd_cloexec = 1, clinux_memfd_sealing = 2;
// Numbers for fcntl: the command that adds seals to memory, and the seals that fix its size and forbid any further
// seal.
static const int clinux_add_seals = 1033, clinux_seal_size = 1 | 2 | 4;
void *memmem(const void *bytes, size_t count, const void *needle, size_t needle_count);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
static const short clinux_spawn_setsid = 0x80;

// Variadic: Swift cannot call prctl.
static inline void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
// How long this thread, and what it starts from now on, keeps a processor that others want too, in microseconds. Who has
// short turns gets the processor at once from who has long ones. Linux knows turns since 6.12; an older one changes nothing.
static inline void clinux_set_turn(unsigned microseconds) {
  struct {
    unsigned size, policy;
    unsigned long long flags;
    int nice;
    unsigned priority;
    unsigned long long turn, deadline, period;
  } wishes;
  if (syscall(SYS_sched_getattr, 0, &wishes, sizeof wishes, 0) != 0) return;
  wishes.turn = microseconds * 1000ULL;
  syscall(SYS_sched_setattr, 0, &wishes, 0);
}
// Lets this thread, and programs that it starts, run when others don't want to: the processor and the disk. On Linux
// these belong to a thread each. What is refused stays as it is. The numbers of ioprio_set have no header: this thread
// (who 1), and the class that waits for all others (3).
static inline void clinux_yield_to_others(void) {
  setpriority(PRIO_PROCESS, 0, 10);
  syscall(SYS_ioprio_set, 1, 0, 3 << 13);
  const struct sched_param none = {0};
  sched_setscheduler(0, 3 /* SCHED_BATCH */, &none);
  clinux_set_turn(100000);
}
// Lists an open folder as the kernel has it, in entries laid out like `struct dirent`. The number of bytes, 0 after the
// last entry, or -1 with errno. Not every supported C library has this wrapper.
static inline long clinux_list(int folder, void *entries, size_t room) {
  return syscall(SYS_getdents64, folder, entries, room);
}
// Makes `open` return a descriptor that stands for a file without opening it.
static const int clinux_o_path = __O_PATH;

// Variadic: Swift cannot call ptrace. These take hold of one thread of a child, halt it, and let go of it.
static inline int clinux_seize_thread(pid_t thread) { return (int)ptrace(PTRACE_SEIZE, thread, 0, 0); }
static inline int clinux_interrupt_thread(pid_t thread) { return (int)ptrace(PTRACE_INTERRUPT, thread, 0, 0); }
static inline void clinux_release_thread(pid_t thread) { ptrace(PTRACE_DETACH, thread, 0, 0); }
// Makes waitpid wait for any kind of child. Without it, it does not wait for single threads.
static const int clinux_wait_all = __WALL;

// How many open files a packet can carry. C code sends and receives them, because Swift cannot import the macros for
// that.
static const int clinux_most_files = 16;

// Sends one packet with up to 16 open files. The number of bytes, or -1 with errno.
static inline long clinux_send_packet(
    int socket, const void *bytes, size_t count, const int *files, size_t file_count, int flags) {
  union { struct cmsghdr header; char room[CMSG_SPACE(16 * sizeof(int))]; } control;
  struct iovec piece = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  if (file_count > (size_t)clinux_most_files) { errno = EINVAL; return -1; }
  if (file_count > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(file_count * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(file_count * sizeof(int));
    memcpy(CMSG_DATA(header), files, file_count * sizeof(int));
  }
  return sendmsg(socket, &message, flags | MSG_NOSIGNAL);
}

// Receives one packet. Its open files, which are closed in programs that this one starts, go to `files`, which has
// room for 16; their number to `file_count`. The number of bytes, 0 at the end, or -1 with errno; a packet that is too
// large or has too many files is EMSGSIZE, and its files are closed.
static inline long clinux_receive_packet(
    int socket, void *bytes, size_t room, int *files, size_t *file_count, int flags) {
  union { struct cmsghdr header; char room[CMSG_SPACE(16 * sizeof(int))]; } control;
  struct iovec piece = {bytes, room};
  struct msghdr message = {
      .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *file_count = 0;
  const long got = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
  if (got < 0) return -1;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
      int file;
      memcpy(&file, CMSG_DATA(header) + i * sizeof(int), sizeof file);
      if (*file_count < (size_t)clinux_most_files) files[(*file_count)++] = file; else close(file);
    }
  }
  if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
    while (*file_count > 0) close(files[--*file_count]);
    errno = EMSGSIZE;
    return -1;
  }
  return got;
}
