// SPDX-License-Identifier: MIT
#pragma once
#include <dbus/dbus.h>
