// SPDX-License-Identifier: MIT
//
// The least that a program in C does to know what the agent plays, and to hear of changes: the limit that a program with the Swift
// library is measured beside. Writes a line when it knows, and ends with its input.

#include <dbus/dbus.h>
#include <stdio.h>
#include <unistd.h>

static int fail(const char *what, DBusError *error) {
  fprintf(stderr, "%s: %s\n", what, error->message);
  return 1;
}

int main(void) {
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *connection = dbus_bus_get(DBUS_BUS_SESSION, &error);
  if (!connection) return fail("no bus", &error);
  dbus_bus_add_match(connection, "sender='org.fermata.Agent',interface='org.fermata.Player1'", &error);
  if (dbus_error_is_set(&error)) return fail("no news", &error);
  DBusMessage *question = dbus_message_new_method_call(
    "org.fermata.Agent", "/org/fermata/Agent", "org.freedesktop.DBus.Properties", "GetAll");
  const char *interface = "org.fermata.Player1";
  dbus_message_append_args(question, DBUS_TYPE_STRING, &interface, DBUS_TYPE_INVALID);
  DBusMessage *answer = dbus_connection_send_with_reply_and_block(connection, question, 5000, &error);
  if (!answer) return fail("no answer", &error);
  puts("connected");
  fflush(stdout);
  char end;
  while (read(STDIN_FILENO, &end, 1) > 0) {}
  return 0;
}
