// SPDX-License-Identifier: MIT
#include "CTagLib.h"

#include <taglib/aifffile.h>
#include <taglib/apetag.h>
#include <taglib/attachedpictureframe.h>
#include <taglib/flacfile.h>
#include <taglib/flacpicture.h>
#include <taglib/id3v1tag.h>
#include <taglib/id3v2tag.h>
#include <taglib/infotag.h>
#include <taglib/mpegfile.h>
#include <taglib/opusfile.h>
#include <taglib/tpropertymap.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/xiphcomment.h>

#include "BoundedStream.hpp"
#include "FrameGate.hpp"

namespace ctag {
namespace {

using namespace TagLib;

/// Bytes that may be read of a file: the largest picture, in Base64 where the format has it so, and the rest; less
/// for chunks, of which very many can be packed into the bytes and nobody counts them.
constexpr size_t fuelForBlocks = 32 << 20;
constexpr size_t fuelForChunks = 4 << 20;

/// A file whose ID3v2 frames go through the gate.
template <class File> File gated(BoundedStream &stream, FrameGate &gate, bool properties) {
#if TAGLIB_MAJOR_VERSION < 2
  return File(&stream, &gate, properties);
#else
  return File(&stream, properties, AudioProperties::Average, &gate);
#endif
}

/// Gathers what the tags of one file say and passes it on at the end.
class Reading {
 public:
  Reading(const ctag_limits &limits, const ctag_findings &findings, ctag_sound &sound)
      : limits_(limits), findings_(findings), sound_(sound) {}

  bool mpeg(BoundedStream &stream);
  bool flac(BoundedStream &stream);
  template <class File> bool ogg(BoundedStream &stream);
  template <class File> bool chunks(BoundedStream &stream);

 private:
  /// Fields that no better tag had.
  void add(const PropertyMap &properties);
  void add(const ID3v2::Tag *tag);
  void add(const APE::Tag *tag);
  void add(const List<FLAC::Picture *> &pictures);
  void addPicture(const ByteVector &bytes, int kind);
  void add(const AudioProperties *properties);
  void addInfo(RIFF::WAV::File &file) { if (const auto *tag = file.InfoTag()) add(tag->properties()); }
  void addInfo(RIFF::AIFF::File &) {}
  bool finish();

  const ctag_limits &limits_;
  const ctag_findings &findings_;
  ctag_sound &sound_;
  PropertyMap fields_;
  ByteVector picture_;
  int pictureRank_ = -1;
};

void Reading::add(const PropertyMap &properties) {
  for (const auto &[name, values] : properties) {
    if (!fields_.contains(name)) fields_.insert(name, values);
  }
}

void Reading::add(const ID3v2::Tag *tag) {
  if (!tag) return;
  add(tag->properties());
  for (const auto *frame : tag->frameList("APIC")) {
    if (const auto *picture = dynamic_cast<const ID3v2::AttachedPictureFrame *>(frame))
      addPicture(picture->picture(), picture->type());
  }
}

void Reading::add(const APE::Tag *tag) {
  if (!tag) return;
  add(tag->properties());
  const auto &items = tag->itemListMap();
  const auto cover = items.find("COVER ART (FRONT)");
  if (cover == items.end()) return;
  const ByteVector named = cover->second.binaryData();  // the picture's name, a NUL, the picture
  const int end = named.find('\0');
  if (end >= 0) addPicture(named.mid(static_cast<unsigned int>(end) + 1), FLAC::Picture::FrontCover);
}

void Reading::add(const List<FLAC::Picture *> &pictures) {
  for (const auto *picture : pictures) addPicture(picture->data(), picture->type());
}

/// Keeps the front cover, or else the first that is no icon of 32 pixels, or else anything.
void Reading::addPicture(const ByteVector &bytes, int kind) {
  const bool isIcon = kind == FLAC::Picture::FileIcon || kind == FLAC::Picture::OtherFileIcon;
  const int rank = kind == FLAC::Picture::FrontCover ? 2 : isIcon ? 0 : 1;
  if (bytes.isEmpty() || bytes.size() > limits_.picture || rank <= pictureRank_) return;
  picture_ = bytes;
  pictureRank_ = rank;
}

void Reading::add(const AudioProperties *properties) {
  if (!properties) return;
  sound_.milliseconds = properties->lengthInMilliseconds();
  sound_.bits_per_millisecond = properties->bitrate();
  sound_.rate = properties->sampleRate();
  sound_.channels = properties->channels();
}

bool Reading::finish() {
  sound_.has_picture = pictureRank_ >= 0;
  unsigned int count = 0;
  for (const auto &[name, values] : fields_) {
    const ByteVector key = name.data(String::UTF8);
    for (const auto &value : values) {
      const ByteVector text = value.data(String::UTF8);
      if (key.size() > limits_.text || text.size() > limits_.text) continue;
      if (++count > BoundedStream::mostFields) break;
      findings_.text(findings_.context, key.data(), key.size(), text.data(), text.size());
    }
  }
  if (findings_.picture && sound_.has_picture) {
    findings_.picture(
        findings_.context, reinterpret_cast<const uint8_t *>(picture_.data()), picture_.size());
  }
  return true;
}

bool Reading::mpeg(BoundedStream &stream) {
  FrameGate gate(limits_.picture);
  auto file = gated<MPEG::File>(stream, gate, true);
  if (!file.isValid()) return false;
  add(file.ID3v2Tag());
  add(file.APETag());
  if (const auto *tag = file.ID3v1Tag()) add(tag->properties());
  add(file.audioProperties());
  return finish();
}

bool Reading::flac(BoundedStream &stream) {
  FrameGate gate(limits_.picture);
  auto file = gated<FLAC::File>(stream, gate, true);
  if (!file.isValid()) return false;
  if (file.hasXiphComment()) {
    add(file.xiphComment()->properties());
    add(file.xiphComment()->pictureList());
  }
  add(file.pictureList());
  add(file.ID3v2Tag());
  add(file.audioProperties());
  return finish();
}

template <class File> bool Reading::ogg(BoundedStream &stream) {
  stream.alignLastPage();
  File file(&stream, true);
  if (!file.isValid() || !file.tag()) return false;
  add(file.tag()->properties());
  add(file.tag()->pictureList());
  add(file.audioProperties());
  return finish();
}

/// RIFF and AIFF. TagLib 1 parses an ID3v2 tag in a chunk with a factory of its own, so it isn't shown that tag;
/// the tag is read afterwards through the gate.
template <class File> bool Reading::chunks(BoundedStream &stream) {
  File file(&stream, true);
  if (!file.isValid()) return false;
  add(file.audioProperties());
  FrameGate gate(limits_.picture);
  if (stream.hiddenID3() >= 0) {
    stream.restart(stream.hiddenID3(), fuelForBlocks);
    auto tagged = gated<MPEG::File>(stream, gate, false);
    add(tagged.ID3v2Tag());
  }
  addInfo(file);
  return finish();
}

bool read(int descriptor, int64_t size, ctag_format format, Reading &reading) {
  const bool isChunks = format == CTAG_WAV || format == CTAG_AIFF;
  BoundedStream stream(descriptor, size, isChunks ? fuelForChunks : fuelForBlocks, isChunks);
  switch (format) {
    case CTAG_MPEG: return reading.mpeg(stream);
    case CTAG_FLAC: return reading.flac(stream);
    case CTAG_VORBIS: return reading.ogg<Ogg::Vorbis::File>(stream);
    case CTAG_OPUS: return reading.ogg<Ogg::Opus::File>(stream);
    case CTAG_WAV: return reading.chunks<RIFF::WAV::File>(stream);
    case CTAG_AIFF: return reading.chunks<RIFF::AIFF::File>(stream);
  }
  return false;
}

}  // namespace
}  // namespace ctag

bool ctag_read(
    int descriptor, int64_t size, ctag_format format, const ctag_limits *limits,
    const ctag_findings *findings, ctag_sound *sound) noexcept {
  try {
    *sound = ctag_sound{};
    ctag::Reading reading(*limits, *findings, *sound);
    return ctag::read(descriptor, size, format, reading);
  } catch (...) {
    return false;
  }
}
