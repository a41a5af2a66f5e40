// SPDX-License-Identifier: MIT
#pragma once
#include <opusfile.h>
