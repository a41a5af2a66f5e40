// SPDX-License-Identifier: MIT
#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT, a macro that Swift cannot import. It makes SQLite copy the bytes that it is given before the call
// returns.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
// Variadic: Swift cannot call sqlite3_config.
static inline int csqlite_config_memstatus(int on) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, on); }
