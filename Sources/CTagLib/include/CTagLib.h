// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// TagLib as one C function, for what TagLib reads of MPEG files: APE tags, and how long the sound is. No exception
// leaves it, nothing is written, and what a file can make it spend is bounded (see docs/decisions/tags.md). It may run
// on any thread, and on several at once if each has a descriptor of its own.

#ifdef __cplusplus
#define CTAG_NOEXCEPT noexcept
extern "C" {
#else
#define CTAG_NOEXCEPT
#endif

/// The largest findings that are reported; larger ones are left out.
typedef struct ctag_limits {
  size_t text;     ///< The longest value, in bytes of UTF-8.
  size_t picture;  ///< The largest picture, in bytes.
} ctag_limits;

/// The functions that are called with what is found in a file. The pointers are valid during the call only. Texts are
/// not terminated; they are meant to be UTF-8, but may be anything.
typedef struct ctag_findings {
  void *context;
  void (*text)(void *context, const char *name, size_t name_size, const char *value, size_t value_size);
  /// Called at most once, with the front cover or what comes nearest. May be null.
  void (*picture)(void *context, const uint8_t *bytes, size_t size);
} ctag_findings;

/// What the file says of its sound; zero where it doesn't say.
typedef struct ctag_sound {
  int milliseconds;
  int bits_per_millisecond;
  int rate;
  int channels;
  bool has_picture;
} ctag_sound;

/// Reads a regular file of `size` bytes from `start` on, which is behind any ID3v2 tags, and reports what it finds.
/// Blocks on the disk. The descriptor's offset stays untouched. False if the file isn't of the format, or if there is
/// no memory.
bool ctag_read_mpeg(
    int descriptor, int64_t start, int64_t size, const ctag_limits *limits,
    const ctag_findings *findings, ctag_sound *sound) CTAG_NOEXCEPT;

#ifdef __cplusplus
}
#endif
