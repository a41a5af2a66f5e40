// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include <taglib/taglib.h>
#include <taglib/tbytevector.h>
#include <taglib/tiostream.h>

namespace ctag {

#if TAGLIB_MAJOR_VERSION < 2
using Offset = long;
using Start = unsigned long;
using Size = unsigned long;
#else
using Offset = TagLib::offset_t;
using Start = TagLib::offset_t;
using Size = size_t;
#endif

/// A file as TagLib may see it: read-only, and only until its fuel, the number of bytes that may be read, is used up.
/// TagLib believes sizes and counts, so those that would cost more memory than the file is long are corrected as they
/// are read (`disarm`). Does not own the descriptor. Used by one thread.
class BoundedStream final : public TagLib::IOStream {
 public:
  /// Thrown when a parser goes on reading long after the file's fuel, the number of bytes that may be read, is used up:
  /// the last resort against endless loops.
  struct Exhausted {};

  /// The most bytes that one read returns, however many are asked for: a little above the largest picture worth having.
  static constexpr size_t largestBlock = 18 << 20;
  /// The most items that a tag may claim to have.
  static constexpr uint32_t mostFields = 4096;
  /// The most bytes that an APE tag may claim to have, because its texts can be split into very many values.
  static constexpr uint32_t largestAPETag = 2 << 20;

  /// Shows what lies between the bytes `start` and `end` of the file. At most `fuel` bytes of it can be read.
  BoundedStream(int descriptor, int64_t start, int64_t end, size_t fuel)
      : descriptor_(descriptor), size_(end), origin_(start), fuel_(fuel) {}

  TagLib::FileName name() const override { return ""; }
  TagLib::ByteVector readBlock(Size length) override;
  void writeBlock(const TagLib::ByteVector &) override {}
  void insert(const TagLib::ByteVector &, Start, Size) override {}
  void removeBlock(Start, Size) override {}
  void truncate(Offset) override {}
  bool readOnly() const override { return true; }
  bool isOpen() const override { return true; }
  void seek(Offset offset, Position from) override;
  Offset tell() const override { return position_; }
  Offset length() override { return size_ - origin_; }

 private:
  size_t take(size_t wanted);
  size_t copy(char *to, size_t count, int64_t offset);
  size_t fetch(char *to, size_t count, int64_t offset);
  void disarm(TagLib::ByteVector &data, size_t wanted);

  int descriptor_;
  int64_t size_;
  int64_t origin_;
  Offset position_ = 0;
  size_t fuel_;
  int readsOnEmpty_ = 0;
  std::array<char, 4096> buffer_;
  int64_t bufferOffset_ = 0;
  size_t bufferCount_ = 0;
};

}  // namespace ctag
