// SPDX-License-Identifier: MIT
#include "CTagLib.h"

#include <taglib/apetag.h>
#include <taglib/mpegfile.h>
#include <taglib/tpropertymap.h>

#include "BoundedStream.hpp"

namespace ctag {
namespace {

using namespace TagLib;

/// How many bytes may be read of a file: those of the largest tag with its picture, and some to look for frames.
constexpr size_t fuel = 32 << 20;

MPEG::File opened(BoundedStream &stream) {
#if TAGLIB_MAJOR_VERSION < 2
  return MPEG::File(&stream, nullptr);
#else
  return MPEG::File(&stream);
#endif
}

void tell(const PropertyMap &properties, const ctag_limits &limits, const ctag_findings &findings) {
  for (const auto &[name, values] : properties) {
    const ByteVector key = name.data(String::UTF8);
    for (const auto &value : values) {
      const ByteVector text = value.data(String::UTF8);
      if (key.size() > limits.text || text.size() > limits.text) continue;
      findings.text(findings.context, key.data(), key.size(), text.data(), text.size());
    }
  }
}

/// The bytes of the front cover. Its item holds a file's name, a NUL and then the picture.
ByteVector cover(const APE::Tag &tag) {
  const auto &items = tag.itemListMap();
  const auto item = items.find("COVER ART (FRONT)");
  if (item == items.end()) return ByteVector();
  const ByteVector named = item->second.binaryData();
  const int end = named.find('\0');
  return end < 0 ? ByteVector() : named.mid(static_cast<unsigned int>(end) + 1);
}

void add(const APE::Tag &tag, const ctag_limits &limits, const ctag_findings &findings, ctag_sound &sound) {
  tell(tag.properties(), limits, findings);
  const ByteVector picture = cover(tag);
  sound.has_picture = !picture.isEmpty() && picture.size() <= limits.picture;
  if (findings.picture && sound.has_picture) {
    findings.picture(
        findings.context, reinterpret_cast<const uint8_t *>(picture.data()), picture.size());
  }
}

bool read(BoundedStream &stream, const ctag_limits &limits, const ctag_findings &findings, ctag_sound &sound) {
  auto file = opened(stream);
  if (!file.isValid()) return false;
  if (const auto *tag = file.APETag()) add(*tag, limits, findings, sound);
  if (const auto *properties = file.audioProperties()) {
    sound.milliseconds = properties->lengthInMilliseconds();
    sound.bits_per_millisecond = properties->bitrate();
    sound.rate = properties->sampleRate();
    sound.channels = properties->channels();
  }
  return true;
}

}  // namespace
}  // namespace ctag

bool ctag_read_mpeg(
    int descriptor, int64_t start, int64_t size, const ctag_limits *limits,
    const ctag_findings *findings, ctag_sound *sound) noexcept {
  try {
    *sound = ctag_sound{};
    ctag::BoundedStream stream(descriptor, start, size, ctag::fuel);
    return ctag::read(stream, *limits, *findings, *sound);
  } catch (...) {
    return false;
  }
}
