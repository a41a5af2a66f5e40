// SPDX-License-Identifier: MIT
#pragma once
#include <mpg123.h>
