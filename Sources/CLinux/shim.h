// SPDX-License-Identifier: MIT
#pragma once
// Headers that Swift's Glibc module leaves out.
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Variadic: Swift cannot call syscall(2), and not every supported glibc has this wrapper.
static inline int clinux_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// GNU extensions, which the importer compiles without.
int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *limit, const sigset_t *mask);
int memfd_create(const char *name, unsigned flags);
static const unsigned clinux_memfd_cloexec = 1;
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
static const short clinux_spawn_setsid = 0x80;

// Variadic: Swift cannot call prctl.
static inline void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
// Holds a file without opening it.
static const int clinux_o_path = __O_PATH;

// Variadic: Swift cannot call ptrace. One thread of a child is held still, and let go of again.
static inline int clinux_seize_thread(pid_t thread) { return (int)ptrace(PTRACE_SEIZE, thread, 0, 0); }
static inline int clinux_interrupt_thread(pid_t thread) { return (int)ptrace(PTRACE_INTERRUPT, thread, 0, 0); }
static inline void clinux_release_thread(pid_t thread) { ptrace(PTRACE_DETACH, thread, 0, 0); }
// Threads that are no processes are waited for with it only.
static const int clinux_wait_all = __WALL;
