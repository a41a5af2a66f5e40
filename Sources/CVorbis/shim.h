// SPDX-License-Identifier: MIT
#pragma once
// Leaves out the ready-made callbacks of libvorbisfile's header: static variables that nobody here uses.
#define OV_EXCLUDE_STATIC_CALLBACKS
#include <vorbis/vorbisfile.h>
