// SPDX-License-Identifier: MIT
#pragma once
// The header's ready-made callbacks are static variables that nobody here uses.
#define OV_EXCLUDE_STATIC_CALLBACKS
#include <vorbis/vorbisfile.h>
