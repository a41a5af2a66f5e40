// SPDX-License-Identifier: MIT
#ifndef FERMATA_CPICTURES_H
#define FERMATA_CPICTURES_H

#include <stddef.h>
#include <stdint.h>

// Pictures of strangers, decoded, made smaller and written as PNG. Behind these functions are libjpeg-turbo, libpng and libwebp, whose
// ways to report errors (long jumps, variadic functions) Swift cannot use. Nothing here opens a file or starts a thread.

// Why there is no picture.
enum cpictures_result {
  CPICTURES_DONE = 0,
  // It is in no format that is decoded here, or it is broken.
  CPICTURES_UNREADABLE = 1,
  // It has more pixels than are decoded.
  CPICTURES_TOO_LARGE = 2,
  CPICTURES_NO_MEMORY = 3
};

struct cpictures_png {
  uint8_t *bytes;
  size_t count;
};

// Decodes a JPEG, PNG or WebP, makes it fit into a square of `edge` pixels (never larger than it is), turns it as `orientation` says, which is a
// number of EXIF's (1 is upright), and writes it as PNG. The bytes have to be freed by cpictures_free.
enum cpictures_result cpictures_scale(
  const uint8_t *bytes, size_t count, uint32_t edge, uint32_t orientation, struct cpictures_png *png);

// Does the same for a picture that is decoded already: red, green, blue and alpha of each pixel, row by row.
enum cpictures_result cpictures_scale_pixels(
  const uint8_t *pixels, uint32_t width, uint32_t height, uint32_t edge, struct cpictures_png *png);

void cpictures_free(struct cpictures_png *png);

#endif
