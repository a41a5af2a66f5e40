// SPDX-License-Identifier: MIT
// zlib: unpacks the pictures that tests look at.
#include <zlib.h>
