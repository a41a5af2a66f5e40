// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

// What `libfermata-av.so` offers: sound files of many formats into samples, by FFmpeg. The library is a file of its own because FFmpeg
// may be missing, and because only the process that decodes such files ever loads it. It is compiled for the FFmpeg of one release, and
// nothing of FFmpeg shows in this header. docs/decisions/formats.md says why these limits.
//
// One thread uses a sound. Nothing is opened by path or address, whatever a file asks for: all bytes come from `fav_input.read`.

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this header. The program and the library must have the same.
#define FAV_VERSION 1
/// The only exported symbol, a `fav_entry`.
#define FAV_ENTRY "fermata_av"

/// Stands for a time that is not known.
static const int64_t FAV_NO_TIME = INT64_MIN;

/// Where the bytes of a file come from.
typedef struct fav_input {
  void *context;
  int64_t size;
  /// Up to `count` bytes from `offset` on: how many came, 0 at the end, below 0 if they can't be had.
  int (*read)(void *context, int64_t offset, uint8_t *to, int count);
} fav_input;

/// Why FFmpeg could not open a sound.
typedef enum fav_problem {
  FAV_FINE,
  FAV_DAMAGED,      ///< The file breaks the rules of its format, or its bytes can't be had.
  FAV_SILENT,       ///< There is no sound in it.
  FAV_UNSUPPORTED,  ///< The sound is coded in a way that is not decoded here; `fav_facts.codec` names it.
  FAV_LARGE,        ///< It takes more memory than a file may have.
} fav_problem;

/// What FFmpeg says of a sound when it was opened.
typedef struct fav_facts {
  char codec[32];         ///< FFmpeg's name of the coding, such as "aac".
  int rate, channels;     ///< Of the samples that come out.
  uint64_t positions;     ///< One bit a channel, as in WAV's header; 0 if not known.
  int stream;             ///< The number that the file itself gives to the track.
  int frame;              ///< Frames of a packet where all packets have the same; 0 if not known.
  int padding;            ///< Frames before the sound, if the file says so.
  int64_t units;          ///< How many units of time a second has, as a fraction: `units` / `unit_seconds`.
  int64_t unit_seconds;
  int64_t length;         ///< In units; FAV_NO_TIME if not known.
  int is_length_stated;   ///< Whether that is what the file says, and not an estimate.
} fav_facts;

/// Some decoded frames.
typedef struct fav_block {
  const float *samples;   ///< Interleaved; valid until the next call with this sound.
  int frames;
  int64_t time;           ///< Of the first frame, in units; FAV_NO_TIME if not known.
  int skip, discard;      ///< Frames at its beginning and its end that are padding, if the file says so.
} fav_block;

typedef struct fav_sound fav_sound;

typedef struct fav_table {
  int version;
  /// FFmpeg's own version, as text.
  const char *(*release)(void);
  /// Opens a file. `container` is FFmpeg's name of its format, one of the list in fermata_av.c. Null if it can't be opened; then `problem` says why.
  fav_sound *(*open)(const char *container, const fav_input *input, fav_facts *facts, fav_problem *problem);
  /// Decodes some frames into `block`. Returns 1, 0 at the end, or a number below 0 if nothing more can be decoded.
  int (*next)(fav_sound *sound, fav_block *block);
  /// Goes to a packet that begins at `time` or before it. What comes next is decoded as if nothing had been before. Below 0 if it can't.
  int (*seek)(fav_sound *sound, int64_t time);
  void (*close)(fav_sound *sound);
} fav_table;

/// The library's only function: returns its table of functions; null if it does not have this version of the table.
typedef const fav_table *(*fav_entry)(int version);

#ifdef __cplusplus
}
#endif
