// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

// Closes a process in before it reads what strangers have made: one thread with one socket, which computes and
// answers. Each part is tried by itself and says whether it stands, because kernels and containers differ in what
// they allow. Nothing can be undone. docs/decisions/reader.md says why these parts.

#ifdef __cplusplus
extern "C" {
#endif

/// Whether this build can restrict the process: the sanitizers need memory and system calls that would be refused.
bool cfence_is_built(void);

/// Closes every descriptor but this one and standard error.
void cfence_close_others(int descriptor);

/// If this process has a low priority: a new descriptor by which somebody else can give its session the same one, even when the fence stands. -1 if it
/// has none, or the kernel does not share the processor among sessions.
int cfence_open_session(void);

/// Lets every signal end this process that would do so by default. A handler that a run time has set would try to start
/// programs in the restricted process, fail, and go back to the instruction that crashed, for ever.
void cfence_forget_handlers(void);

/// Sets limits on memory, processes, open files and core files.
bool cfence_limit(void);

/// Ends this process with its parent, and hides its memory from other processes of the user.
bool cfence_hide(void);

/// Whether the parent has ended already: then it is too late for cfence_hide to end this process with it. The parent
/// is whoever made the socket.
bool cfence_is_orphan(int socket);

/// From now on this process can gain no rights and open no path. False if the kernel has no Landlock.
bool cfence_forget_paths(void);

/// Lets the kernel answer only the calls that reading and answering need; any other fails as on a kernel that does
/// not have it. To be called last, because it refuses what the others do.
bool cfence_filter_calls(void);

#ifdef __cplusplus
}
#endif
