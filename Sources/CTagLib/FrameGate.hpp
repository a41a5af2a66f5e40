// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <taglib/id3v2framefactory.h>

namespace ctag {

/// TagLib 1 hides the type that `updateFrame` is given from all but frames.
struct FrameTypes : TagLib::ID3v2::Frame {
  using Header = TagLib::ID3v2::Frame::Header;
};

/// Lets through the ID3v2 frames that are wanted. The others stay unparsed bytes: chapters nest without end, and a
/// compressed frame of a few megabytes can hold gigabytes. For one tag only, as it counts.
class FrameGate final : public TagLib::ID3v2::FrameFactory {
 public:
  explicit FrameGate(size_t largestPicture) : largestPicture_(largestPicture) {}

 protected:
  /// TagLib asks this of each frame before it looks into it; false leaves the frame unparsed.
  bool updateFrame(FrameTypes::Header *header) const override;

 private:
  bool isWanted(const FrameTypes::Header &header) const;

  size_t largestPicture_;
  mutable unsigned int frames_ = 0;
  mutable size_t textBytes_ = 0;
};

}  // namespace ctag
