// SPDX-License-Identifier: MIT
#pragma once
#include <pulse/pulseaudio.h>

// Macros of libpulse whose expansion Swift's importer cannot evaluate, as typed constants.
static const pa_sample_format_t cpulse_float32_native = PA_SAMPLE_FLOAT32NE;
static const uint32_t cpulse_invalid_index = PA_INVALID_INDEX;
