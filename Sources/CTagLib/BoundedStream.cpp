// SPDX-License-Identifier: MIT
#include "BoundedStream.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <unistd.h>

using TagLib::ByteVector;

namespace ctag {

namespace {

/// How much of the fuel, the number of bytes that may still be read, a read costs besides its bytes: many small reads
/// use it up as well.
constexpr size_t costOfRead = 256;
/// The number of reads without fuel (see `BoundedStream`) after which a parser is stopped.
constexpr int mostReadsOnEmpty = 10'000;

bool startsWith(const ByteVector &data, const char *text) {
  const size_t count = std::strlen(text);
  return data.size() >= count && std::memcmp(data.data(), text, count) == 0;
}

uint32_t littleEndian(const ByteVector &data, size_t at) {
  const auto *byte = reinterpret_cast<const unsigned char *>(data.data()) + at;
  return byte[0] | byte[1] << 8 | byte[2] << 16 | static_cast<uint32_t>(byte[3]) << 24;
}

void blank(ByteVector &data, size_t from, size_t count) {
  for (size_t i = from; i < data.size() && i < from + count; i++) data[static_cast<int>(i)] = 0;
}

/// Blanks the header or footer of an APE tag that claims more than a tag may have, so that TagLib sees an empty tag.
void disarmAPE(ByteVector &data) {
  if (littleEndian(data, 12) > BoundedStream::largestAPETag ||
      littleEndian(data, 16) > BoundedStream::mostFields)
    blank(data, 0, data.size());
}

}  // namespace

void BoundedStream::seek(Offset offset, Position from) {
  const Offset base = from == Beginning ? 0 : from == Current ? position_ : length();
  Offset target;
  if (__builtin_add_overflow(base, offset, &target)) target = length();
  position_ = std::max<Offset>(target, 0);
}

ByteVector BoundedStream::readBlock(Size wanted) {
  const int64_t offset = origin_ + std::min<int64_t>(position_, size_ - origin_);
  const size_t count = take(std::min<uint64_t>({wanted, uint64_t(size_ - offset), largestBlock}));
  if (count == 0) {
    position_ = length();
    return ByteVector();
  }
  ByteVector data(static_cast<unsigned int>(count), 0);
  data.resize(static_cast<unsigned int>(copy(data.data(), count, offset)));
  position_ = offset - origin_ + static_cast<Offset>(data.size());
  disarm(data, wanted);
  return data;
}

/// Subtracts a read from the fuel, the number of bytes that may still be read, and returns how many bytes the read may
/// have. Without fuel the file seems to have ended.
size_t BoundedStream::take(size_t wanted) {
  if (fuel_ <= costOfRead) {
    if (++readsOnEmpty_ > mostReadsOnEmpty) throw Exhausted();
    return 0;
  }
  fuel_ -= costOfRead;
  const size_t count = std::min(wanted, fuel_);
  fuel_ -= count;
  return count;
}

/// Copies bytes of the file. Small reads come out of a buffer, because parsers ask for four bytes here and ten there.
size_t BoundedStream::copy(char *to, size_t count, int64_t offset) {
  if (count >= buffer_.size()) return fetch(to, count, offset);
  if (offset < bufferOffset_ || offset + int64_t(count) > bufferOffset_ + int64_t(bufferCount_)) {
    bufferOffset_ = offset;
    bufferCount_ = fetch(buffer_.data(), buffer_.size(), offset);
  }
  const size_t available = std::min(count, bufferCount_ - size_t(offset - bufferOffset_));
  std::memcpy(to, buffer_.data() + (offset - bufferOffset_), available);
  return available;
}

size_t BoundedStream::fetch(char *to, size_t count, int64_t offset) {
  size_t done = 0;
  while (done < count) {
    const ssize_t got = pread(descriptor_, to + done, count - done, offset + int64_t(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

/// Corrects headers that TagLib would believe. Each is recognised by how TagLib reads it: an ID3v2 header is asked for
/// as 10 bytes, an APE footer as 32. ID3v2 headers are blanked, because ID3v2 is read elsewhere and TagLib is not to
/// look into it.
void BoundedStream::disarm(ByteVector &data, size_t wanted) {
  if (wanted == 10 && startsWith(data, "ID3")) {
    blank(data, 0, data.size());
  } else if (wanted == 32 && data.size() == 32 && startsWith(data, "APETAGEX")) {
    disarmAPE(data);
  }
}

}  // namespace ctag
