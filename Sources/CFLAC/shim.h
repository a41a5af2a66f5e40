// SPDX-License-Identifier: MIT
#pragma once
#include <FLAC/stream_decoder.h>
