// SPDX-License-Identifier: MIT
#include "CPictures.h"

#include <png.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <webp/decode.h>

// A picture in memory: four bytes a pixel, red, green, blue, alpha.
struct raster {
  uint8_t *pixels;
  uint32_t width, height;
};

// The most pixels that are decoded, because the process has 400 MB. A JPEG of several passes takes 6 bytes a pixel for its coefficients and 4 for its
// samples. One of a single pass is decoded line by line, so only the pixels at the scale count at which it is decoded.
static const uint64_t most_pixels = 25000000;
static const uint32_t longest_side = 16384;

static bool is_decodable(int64_t width, int64_t height) {
  return width > 0 && height > 0 && width <= longest_side && height <= longest_side
    && (uint64_t)width * (uint64_t)height <= most_pixels;
}

static bool make(struct raster *raster, uint32_t width, uint32_t height) {
  raster->width = width;
  raster->height = height;
  raster->pixels = malloc((size_t)width * height * 4);
  return raster->pixels != NULL;
}

// The size into which a picture fits, with the same proportions, and at least one pixel each way.
static void fit(uint32_t width, uint32_t height, uint32_t edge, uint32_t *to_width, uint32_t *to_height) {
  const uint32_t longest = width > height ? width : height;
  if (longest <= edge) {
    *to_width = width;
    *to_height = height;
    return;
  }
  *to_width = (uint32_t)(((uint64_t)width * edge + longest / 2) / longest);
  *to_height = (uint32_t)(((uint64_t)height * edge + longest / 2) / longest);
  if (*to_width == 0) *to_width = 1;
  if (*to_height == 0) *to_height = 1;
}

// MARK: JPEG

// The smallest scale at which the JPEG decoder itself gives at least `edge` pixels. It skips work for what is left out, so that is far cheaper than
// to decode everything.
static tjscalingfactor smallest(int width, int height, uint32_t edge) {
  int count = 0;
  const tjscalingfactor *factors = tjGetScalingFactors(&count);
  tjscalingfactor best = {1, 1};
  const int longest = width > height ? width : height;
  for (int index = 0; factors && index < count; index++) {
    const tjscalingfactor factor = factors[index];
    const bool is_smaller = (int64_t)factor.num * best.denom < (int64_t)best.num * factor.denom;
    if (is_smaller && (uint32_t)TJSCALED(longest, factor) >= edge) best = factor;
  }
  return best;
}

// Whether a JPEG is one of a single pass: not progressive, and with all its colours in the first scan. False also if its description is damaged.
static bool has_single_pass(const uint8_t *bytes, size_t count) {
  int colours = 0;
  for (size_t at = 2; at + 4 <= count && bytes[at] == 0xFF;) {
    const uint8_t mark = bytes[at + 1];
    if (mark == 0xFF) {
      at++;
      continue;
    }
    const size_t length = (size_t)bytes[at + 2] << 8 | bytes[at + 3];
    if (at + 2 + length > count) return false;
    if ((mark == 0xC0 || mark == 0xC1) && length >= 8) colours = bytes[at + 9];
    if (mark == 0xDA) return length >= 3 && colours > 0 && bytes[at + 4] == colours;
    at += 2 + length;
  }
  return false;
}

// Turns a JPEG of four inks (CMYK) into red, green and blue. Programs that write such files store the inks inverted.
static void turn_inks(struct raster *raster) {
  const size_t count = (size_t)raster->width * raster->height;
  for (size_t pixel = 0; pixel < count; pixel++) {
    uint8_t *at = raster->pixels + 4 * pixel;
    const unsigned black = at[3];
    for (int ink = 0; ink < 3; ink++) at[ink] = (uint8_t)(at[ink] * black / 255);
    at[3] = 255;
  }
}

static enum cpictures_result read_jpeg(
  tjhandle decoder, const uint8_t *bytes, size_t count, uint32_t edge, struct raster *raster) {
  int width = 0, height = 0, sampling = 0, space = 0;
  // It also fails for a way of storing colours that it has no name for, and then tells the size all the same. Whether such a picture can be decoded
  // is seen below.
  if (tjDecompressHeader3(decoder, bytes, count, &width, &height, &sampling, &space) != 0 && (width <= 0 || height <= 0)) {
    return CPICTURES_UNREADABLE;
  }
  if (width > (int)longest_side || height > (int)longest_side) return CPICTURES_TOO_LARGE;
  const tjscalingfactor factor = smallest(width, height, edge);
  const bool is_small = has_single_pass(bytes, count)
    ? is_decodable(TJSCALED(width, factor), TJSCALED(height, factor))
    : is_decodable(width, height);
  if (!is_small) return CPICTURES_TOO_LARGE;
  if (!make(raster, (uint32_t)TJSCALED(width, factor), (uint32_t)TJSCALED(height, factor))) return CPICTURES_NO_MEMORY;
  const bool has_inks = space == TJCS_CMYK || space == TJCS_YCCK;
  // The limit of scans keeps a small file from taking minutes.
  const int outcome = tjDecompress2(
    decoder, bytes, count, raster->pixels, (int)raster->width, 0, (int)raster->height,
    has_inks ? TJPF_CMYK : TJPF_RGBA, TJFLAG_LIMITSCANS);
  // A picture of which only the end is torn is shown as far as it goes.
  if (outcome != 0 && tjGetErrorCode(decoder) == TJERR_FATAL) return CPICTURES_UNREADABLE;
  if (has_inks) turn_inks(raster);
  return CPICTURES_DONE;
}

// MARK: PNG and WebP

static enum cpictures_result read_png(const uint8_t *bytes, size_t count, struct raster *raster) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes, count)) return CPICTURES_UNREADABLE;
  enum cpictures_result result = CPICTURES_DONE;
  if (!is_decodable(image.width, image.height)) {
    result = CPICTURES_TOO_LARGE;
  } else {
    image.format = PNG_FORMAT_RGBA;
    // Without this, samples of 16 bits in a file that does not say how bright they are count as linear light.
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    if (!make(raster, image.width, image.height)) {
      result = CPICTURES_NO_MEMORY;
    } else if (!png_image_finish_read(&image, NULL, raster->pixels, 0, NULL)) {
      result = CPICTURES_UNREADABLE;
    }
  }
  png_image_free(&image);
  return result;
}

static enum cpictures_result read_webp(const uint8_t *bytes, size_t count, uint32_t edge, struct raster *raster) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return CPICTURES_UNREADABLE;
  if (WebPGetFeatures(bytes, count, &config.input) != VP8_STATUS_OK) return CPICTURES_UNREADABLE;
  if (config.input.has_animation) return CPICTURES_UNREADABLE;
  if (!is_decodable(config.input.width, config.input.height)) return CPICTURES_TOO_LARGE;
  uint32_t width, height;
  fit((uint32_t)config.input.width, (uint32_t)config.input.height, edge, &width, &height);
  if (!make(raster, width, height)) return CPICTURES_NO_MEMORY;
  config.options.use_scaling = width != (uint32_t)config.input.width || height != (uint32_t)config.input.height;
  config.options.scaled_width = (int)width;
  config.options.scaled_height = (int)height;
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = raster->pixels;
  config.output.u.RGBA.stride = (int)width * 4;
  config.output.u.RGBA.size = (size_t)width * height * 4;
  const VP8StatusCode status = WebPDecode(bytes, count, &config);
  WebPFreeDecBuffer(&config.output);
  return status == VP8_STATUS_OK ? CPICTURES_DONE : CPICTURES_UNREADABLE;
}

// MARK: Scaling

// The old samples that one new sample is the mean of: those from `first` to `last`. Of these two, only a part counts, in 1/65536.
struct stretch {
  uint32_t first, last;
  uint32_t first_part, last_part;
};

static struct stretch cover(uint32_t index, uint32_t from, uint32_t to) {
  const uint64_t begin = ((uint64_t)index * from << 16) / to;
  const uint64_t end = ((uint64_t)(index + 1) * from << 16) / to;
  struct stretch stretch;
  stretch.first = (uint32_t)(begin >> 16);
  stretch.last = (uint32_t)((end - 1) >> 16);
  stretch.first_part = 65536 - (uint32_t)(begin & 65535);
  stretch.last_part = (uint32_t)(end - ((uint64_t)stretch.last << 16));
  if (stretch.first == stretch.last) stretch.first_part = (uint32_t)(end - begin);
  return stretch;
}

static uint32_t part(const struct stretch *stretch, uint32_t at) {
  if (at == stretch->first) return stretch->first_part;
  return at == stretch->last ? stretch->last_part : 65536;
}

// Makes a picture smaller. Each new pixel is the mean of the old ones that it covers. Colours count as much as they are opaque, so that no dark rim
// comes from what is transparent.
static bool shrink(const struct raster *from, struct raster *to) {
  struct stretch *columns = malloc((size_t)to->width * sizeof *columns);
  if (!columns) return false;
  for (uint32_t x = 0; x < to->width; x++) columns[x] = cover(x, from->width, to->width);
  for (uint32_t y = 0; y < to->height; y++) {
    const struct stretch rows = cover(y, from->height, to->height);
    for (uint32_t x = 0; x < to->width; x++) {
      double sums[4] = {0, 0, 0, 0}, weight = 0;
      for (uint32_t row = rows.first; row <= rows.last; row++) {
        const double of_row = part(&rows, row);
        const uint8_t *line = from->pixels + (size_t)row * from->width * 4;
        for (uint32_t column = columns[x].first; column <= columns[x].last; column++) {
          const double share = of_row * part(&columns[x], column);
          const uint8_t *pixel = line + (size_t)column * 4;
          const double opaque = share * pixel[3];
          weight += share;
          sums[3] += opaque;
          for (int colour = 0; colour < 3; colour++) sums[colour] += opaque * pixel[colour];
        }
      }
      uint8_t *pixel = to->pixels + ((size_t)y * to->width + x) * 4;
      pixel[3] = (uint8_t)(sums[3] / weight + 0.5);
      for (int colour = 0; colour < 3; colour++)
        pixel[colour] = sums[3] > 0 ? (uint8_t)(sums[colour] / sums[3] + 0.5) : 0;
    }
  }
  free(columns);
  return true;
}

// MARK: Turning

// Copies the pixels of `from` into `to`, turned upright: what is stored at (column, row) of `from` is shown at (x, y) of `to`. `orientation` is a
// number of EXIF, see PictureOrientation.
static bool turn_pixels(const struct raster *from, uint32_t orientation, struct raster *to) {
  const bool lies = orientation >= 5;
  const bool from_right = orientation == 2 || orientation == 3 || orientation >= 7;
  const bool from_below = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  if (!make(to, lies ? from->height : from->width, lies ? from->width : from->height)) return false;
  for (uint32_t y = 0; y < to->height; y++) {
    for (uint32_t x = 0; x < to->width; x++) {
      const uint32_t along = lies ? y : x, down = lies ? x : y;
      const uint32_t column = from_right ? from->width - 1 - along : along;
      const uint32_t row = from_below ? from->height - 1 - down : down;
      memcpy(
        to->pixels + ((size_t)y * to->width + x) * 4, from->pixels + ((size_t)row * from->width + column) * 4, 4);
    }
  }
  return true;
}

// MARK: Writing

static bool is_opaque(const struct raster *raster) {
  const size_t count = (size_t)raster->width * raster->height;
  for (size_t pixel = 0; pixel < count; pixel++)
    if (raster->pixels[4 * pixel + 3] != 255) return false;
  return true;
}

static void drop_alpha(struct raster *raster) {
  const size_t count = (size_t)raster->width * raster->height;
  for (size_t pixel = 0; pixel < count; pixel++) memmove(raster->pixels + 3 * pixel, raster->pixels + 4 * pixel, 3);
}

static enum cpictures_result write_png(struct raster *raster, struct cpictures_png *png) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = raster->width;
  image.height = raster->height;
  image.format = PNG_FORMAT_RGBA;
  if (is_opaque(raster)) {
    drop_alpha(raster);
    image.format = PNG_FORMAT_RGB;
  }
  // Covers are shown at once; the last few per cent of size are not worth twice the time.
  image.flags = PNG_IMAGE_FLAG_FAST;
  png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(image);
  png->bytes = malloc(room);
  if (!png->bytes) return CPICTURES_NO_MEMORY;
  if (!png_image_write_to_memory(&image, png->bytes, &room, 0, raster->pixels, 0, NULL)) {
    cpictures_free(png);
    return CPICTURES_NO_MEMORY;
  }
  png->count = room;
  return CPICTURES_DONE;
}

// MARK: All together

static enum cpictures_result read(const uint8_t *bytes, size_t count, uint32_t edge, struct raster *raster) {
  static const uint8_t png_mark[8] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a};
  if (count < 16) return CPICTURES_UNREADABLE;
  if (memcmp(bytes, png_mark, 8) == 0) return read_png(bytes, count, raster);
  if (memcmp(bytes, "RIFF", 4) == 0) return read_webp(bytes, count, edge, raster);
  if (bytes[0] != 0xFF || bytes[1] != 0xD8) return CPICTURES_UNREADABLE;
  const tjhandle decoder = tjInitDecompress();
  if (!decoder) return CPICTURES_NO_MEMORY;
  const enum cpictures_result result = read_jpeg(decoder, bytes, count, edge, raster);
  tjDestroy(decoder);
  return result;
}

// Makes a picture small, turns it, and writes it. Frees its pixels.
static enum cpictures_result finish(struct raster *whole, uint32_t edge, uint32_t orientation, struct cpictures_png *png) {
  uint32_t width, height;
  fit(whole->width, whole->height, edge, &width, &height);
  if (width != whole->width || height != whole->height) {
    struct raster small = {NULL, 0, 0};
    const bool is_made = make(&small, width, height) && shrink(whole, &small);
    free(whole->pixels);
    *whole = small;
    if (!is_made) {
      free(whole->pixels);
      return CPICTURES_NO_MEMORY;
    }
  }
  enum cpictures_result result = CPICTURES_DONE;
  if (orientation > 1 && orientation <= 8) {
    struct raster turned = {NULL, 0, 0};
    if (!turn_pixels(whole, orientation, &turned)) result = CPICTURES_NO_MEMORY;
    free(whole->pixels);
    *whole = turned;
  }
  if (result == CPICTURES_DONE) result = write_png(whole, png);
  free(whole->pixels);
  return result;
}

enum cpictures_result cpictures_scale(
  const uint8_t *bytes, size_t count, uint32_t edge, uint32_t orientation, struct cpictures_png *png) {
  struct raster whole = {NULL, 0, 0};
  const enum cpictures_result result = edge > 0 ? read(bytes, count, edge, &whole) : CPICTURES_UNREADABLE;
  if (result == CPICTURES_DONE) return finish(&whole, edge, orientation, png);
  free(whole.pixels);
  return result;
}

enum cpictures_result cpictures_scale_pixels(
  const uint8_t *pixels, uint32_t width, uint32_t height, uint32_t edge, struct cpictures_png *png) {
  if (edge == 0) return CPICTURES_UNREADABLE;
  if (!is_decodable(width, height)) return CPICTURES_TOO_LARGE;
  struct raster whole = {NULL, 0, 0};
  if (!make(&whole, width, height)) return CPICTURES_NO_MEMORY;
  memcpy(whole.pixels, pixels, (size_t)width * height * 4);
  return finish(&whole, edge, 1, png);
}

void cpictures_free(struct cpictures_png *png) {
  free(png->bytes);
  png->bytes = NULL;
  png->count = 0;
}
