// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CFence.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

bool cfence_is_built(void) {
#ifdef SANITIZED
  return false;
#else
  return true;
#endif
}

void cfence_close_others(int descriptor) {
  // The descriptors are closed one by one where the kernel is too old for close_range, up to the limit that this process was started with.
  struct rlimit limit = {0};
  getrlimit(RLIMIT_NOFILE, &limit);
  const int most = limit.rlim_cur < 65536 ? (int)limit.rlim_cur : 65536;
#ifdef SYS_close_range
  const unsigned kept = (unsigned)descriptor, beyond = (kept > STDERR_FILENO ? kept : STDERR_FILENO) + 1;
  const bool is_closed = syscall(SYS_close_range, beyond, ~0U, 0) == 0;
  const int end = is_closed ? (int)beyond : most;
#else
  const int end = most;
#endif
  for (int other = 0; other < end; other++)
    if (other != descriptor && other != STDERR_FILENO) close(other);
}

int cfence_open_session(void) {
  return getpriority(PRIO_PROCESS, 0) > 0 ? open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC) : -1;
}

void cfence_forget_handlers(void) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
}

bool cfence_is_orphan(int socket) {
  // The kernel remembers who made a pair of sockets. A parent that ended before PR_SET_PDEATHSIG was set sends no signal.
  struct ucred maker = {0};
  socklen_t size = sizeof maker;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &maker, &size) != 0) return false;
  return maker.pid != 0 && maker.pid != getppid();
}

#ifndef SANITIZED

static bool limit(int resource, rlim_t value) {
  const struct rlimit limit = {value, value};
  return setrlimit(resource, &limit) == 0;
}

bool cfence_limit(void) {
  // No limit on file sizes: its signal would end us when standard error is a file. None on processor time: it counts
  // the whole life, and the agent has a deadline for each request.
  const bool memory = limit(RLIMIT_AS, 400UL << 20);
  const bool processes = limit(RLIMIT_NPROC, 0);
  const bool files = limit(RLIMIT_NOFILE, 64);
  return limit(RLIMIT_CORE, 0) && memory && processes && files;
}

bool cfence_hide(void) {
  const bool ends = prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0;
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && ends;
}

// The numbers of Landlock's calls and rights are the same everywhere; headers of some releases have not all of them.
enum { create_ruleset = 444, restrict_self = 446, version_only = 1 };

bool cfence_forget_paths(void) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  const long version = syscall(create_ruleset, NULL, 0, version_only);
  if (version < 1) return false;
  // What is handled and has no rule is refused: everything that can be done with a path. Version 1 knows 13 rights,
  // the second one more, the third another, the fifth the last.
  const int rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  const uint64_t handled = (1ULL << rights) - 1;
  const long rules = syscall(create_ruleset, &handled, sizeof handled, 0);
  if (rules < 0) return false;
  const bool stands = syscall(restrict_self, rules, 0) == 0;
  close((int)rules);
  return stands;
}

#ifdef ARCHITECTURE

// Jumps are counted in instructions: 0 goes on with the next one.
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, what)
#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), ANSWER(SECCOMP_RET_ALLOW)
#define NO_SUCH_CALL ANSWER(SECCOMP_RET_ERRNO | (ENOSYS & SECCOMP_RET_DATA))

// The system calls that this process may make: to read files, to answer, to get memory and to end. Where systemd has filtered the agent's calls
// already, what it refuses stays refused.
static const struct sock_filter calls[] = {
  // Numbers of system calls mean something else on another architecture, and on x86-64 in the mode with short pointers (x32).
  LOAD(arch),
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
  ANSWER(SECCOMP_RET_KILL_PROCESS),
  LOAD(nr),
#ifdef __x86_64__
  BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
  ANSWER(SECCOMP_RET_KILL_PROCESS),
#endif
  ALLOW(pread64),
  ALLOW(recvmsg),
  ALLOW(sendmsg),
  ALLOW(close),
  // Not newfstatat, which some C libraries use for fstat: with AT_EMPTY_PATH it still looks at any path that it is given, and a filter
  // sees the path's address only. It would tell which files there are.
  ALLOW(fstat),
  ALLOW(brk),
  ALLOW(munmap),
  ALLOW(mremap),
  ALLOW(madvise),
  ALLOW(futex),
  ALLOW(rt_sigreturn),
  ALLOW(restart_syscall),
  ALLOW(exit),
  ALLOW(exit_group),
  // mmap is allowed, but not for memory that could hold code.
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 4),
  LOAD(args[2]),
  BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 4, 0, 1),
  NO_SUCH_CALL,
  ANSWER(SECCOMP_RET_ALLOW),
  // write is allowed to standard error only, for a message before the end.
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 3),
  LOAD(args[0]),
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, STDERR_FILENO, 0, 1),
  ANSWER(SECCOMP_RET_ALLOW),
  NO_SUCH_CALL,
};

bool cfence_filter_calls(void) {
  const struct sock_fprog program = {sizeof calls / sizeof *calls, (struct sock_filter *)calls};
  // prctl is used, because none of systemd's groups of system calls has seccomp(2).
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

#else

bool cfence_filter_calls(void) { return false; }

#endif

#else

bool cfence_limit(void) { return false; }
bool cfence_hide(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && false; }
bool cfence_forget_paths(void) { return false; }
bool cfence_filter_calls(void) { return false; }

#endif
