// SPDX-License-Identifier: MIT
#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT, a macro that Swift cannot import. It makes SQLite copy the bytes that it is given before the call
// returns.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
