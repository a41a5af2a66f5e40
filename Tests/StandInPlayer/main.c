// SPDX-License-Identifier: MIT
//
// A player that behaves as a test wants: it plays a sine, has a player's name on the bus, and takes a Pause in its own way.
//
// StandInPlayer NAME BEHAVIOUR [KEY=VALUE…]     the name without org.mpris.MediaPlayer2., or one that
// begins with - for none on the bus; the stream's properties
//
// Behaviours: obeys; late (after 400 ms), never (no answer to Pause), deaf (no answer to anything), error (to Pause), cannot (CanPause
// is false), ignores (answers, and plays on), leaves (ends at a Pause), records (obeys, and records the default source as well),
// hands (gives its name away when it is asked what it does), waits (takes the name when another one gives it away).

#include <dbus/dbus.h>
#include <math.h>
#include <pulse/pulseaudio.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { rate = 44100 };

#define PATH "/org/mpris/MediaPlayer2"
#define PREFIX "org.mpris.MediaPlayer2"
#define PLAYER PREFIX ".Player"
#define PROPERTIES "org.freedesktop.DBus.Properties"

static const char *name, *behaviour;
static char full[256];
static pa_threaded_mainloop *loop;
static pa_stream *stream;
static pa_proplist *properties;
static bool is_paused;

static bool is(const char *word) { return strcmp(behaviour, word) == 0; }

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static void fill(pa_stream *stream, size_t room, void *unused) {
  (void)unused;
  static size_t played;
  // A pitch of its own: two players of one pitch may cancel each other, and then neither is heard.
  const size_t period = 80 + (size_t)getpid() % 40;
  while (room >= sizeof(float)) {
    void *memory;
    size_t size = room;
    if (pa_stream_begin_write(stream, &memory, &size) < 0) return;
    size_t samples = (size < room ? size : room) / sizeof(float);
    float *out = memory;
    for (size_t i = 0; i < samples; i++) out[i] = (float)(0.5 * cos(2 * M_PI * (double)(played++ % period) / (double)period));
    pa_stream_write(stream, memory, samples * sizeof(float), NULL, 0, PA_SEEK_RELATIVE);
    room -= samples * sizeof(float);
  }
}

static void drop(pa_stream *stream, size_t size, void *unused) {
  (void)unused;
  const void *data;
  if (pa_stream_peek(stream, &data, &size) == 0 && size > 0) pa_stream_drop(stream);
}

static void connected(pa_context *context, void *unused) {
  (void)unused;
  pa_context_state_t state = pa_context_get_state(context);
  if (!PA_CONTEXT_IS_GOOD(state)) fail("no sound server");
  if (state != PA_CONTEXT_READY) return;
  pa_sample_spec spec = {.format = PA_SAMPLE_FLOAT32NE, .rate = rate, .channels = 1};
  pa_buffer_attr buffer = {-1, rate * sizeof(float) / 5, -1, -1, -1};
  stream = pa_stream_new_with_proplist(context, "a tone", &spec, NULL, properties);
  pa_stream_set_write_callback(stream, fill, NULL);
  if (pa_stream_connect_playback(stream, NULL, &buffer, 0, NULL, NULL) < 0) fail("no stream");
  if (!is("records")) return;
  pa_stream *ear = pa_stream_new(context, "what somebody says", &spec, NULL);
  pa_stream_set_read_callback(ear, drop, NULL);
  if (pa_stream_connect_record(ear, NULL, NULL, 0) < 0) fail("no recording");
}

static void connect_sound(void) {
  loop = pa_threaded_mainloop_new();
  pa_context *context = pa_context_new(pa_threaded_mainloop_get_api(loop), name + (name[0] == '-'));
  pa_context_set_state_callback(context, connected, NULL);
  if (pa_context_connect(context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL) < 0) fail("no sound server");
  pa_threaded_mainloop_start(loop);
}

static void append_variant(DBusMessageIter *place, const char *type, const void *value) {
  DBusMessageIter inside;
  dbus_message_iter_open_container(place, DBUS_TYPE_VARIANT, type, &inside);
  dbus_message_iter_append_basic(&inside, type[0], value);
  dbus_message_iter_close_container(place, &inside);
}

static void tell_paused(DBusConnection *bus) {
  DBusMessage *signal = dbus_message_new_signal(PATH, PROPERTIES, "PropertiesChanged");
  DBusMessageIter place, entries, entry;
  const char *interface = PLAYER, *key = "PlaybackStatus", *value = "Paused";
  dbus_message_iter_init_append(signal, &place);
  dbus_message_iter_append_basic(&place, DBUS_TYPE_STRING, &interface);
  dbus_message_iter_open_container(&place, DBUS_TYPE_ARRAY, "{sv}", &entries);
  dbus_message_iter_open_container(&entries, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
  append_variant(&entry, "s", &value);
  dbus_message_iter_close_container(&entries, &entry);
  dbus_message_iter_close_container(&place, &entries);
  dbus_message_iter_open_container(&place, DBUS_TYPE_ARRAY, "s", &entries);
  dbus_message_iter_close_container(&place, &entries);
  dbus_connection_send(bus, signal, NULL);
  dbus_message_unref(signal);
}

static void pause_sound(DBusConnection *bus) {
  pa_threaded_mainloop_lock(loop);
  pa_operation_unref(pa_stream_cork(stream, 1, NULL, NULL));
  pa_threaded_mainloop_unlock(loop);
  is_paused = true;
  tell_paused(bus);
}

static DBusMessage *property(DBusConnection *bus, DBusMessage *call) {
  const char *interface, *wanted;
  if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &wanted, DBUS_TYPE_INVALID))
    return dbus_message_new_error(call, DBUS_ERROR_INVALID_ARGS, "two texts are expected");
  if (is("hands") && strcmp(wanted, "PlaybackStatus") == 0) dbus_bus_release_name(bus, full, NULL);
  DBusMessage *reply = dbus_message_new_method_return(call);
  DBusMessageIter place;
  dbus_message_iter_init_append(reply, &place);
  const char *status = is_paused ? "Paused" : "Playing";
  const char *identity = "Stand-in";
  dbus_bool_t can_pause = !is("cannot");
  if (strcmp(wanted, "CanPause") == 0)
    append_variant(&place, "b", &can_pause);
  else
    append_variant(&place, "s", strcmp(wanted, "Identity") == 0 ? &identity : &status);
  return reply;
}

static DBusMessage *answer(DBusConnection *bus, DBusMessage *call) {
  if (dbus_message_is_method_call(call, PROPERTIES, "Get")) return property(bus, call);
  if (!dbus_message_is_method_call(call, PLAYER, "Pause"))
    return dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_METHOD, "a stand-in has no such method");
  printf("Pause\n");
  fflush(stdout);
  if (is("leaves")) exit(0);
  if (is("never")) return NULL;
  if (is("error")) return dbus_message_new_error(call, DBUS_ERROR_FAILED, "not today");
  if (is("late")) usleep(400000);
  if (!is("ignores")) pause_sound(bus);
  return dbus_message_new_method_return(call);
}

static DBusHandlerResult take(DBusConnection *bus, DBusMessage *call, void *unused) {
  (void)unused;
  if (dbus_message_get_type(call) != DBUS_MESSAGE_TYPE_METHOD_CALL) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
  DBusMessage *reply = is("deaf") ? NULL : answer(bus, call);
  if (reply) {
    dbus_connection_send(bus, reply, NULL);
    dbus_message_unref(reply);
  }
  return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int count, char **words) {
  if (count < 3) fail("usage: StandInPlayer NAME BEHAVIOUR [KEY=VALUE…]");
  name = words[1];
  behaviour = words[2];
  properties = pa_proplist_new();
  for (int i = 3; i < count; i++) pa_proplist_setp(properties, words[i]);
  connect_sound();
  if (name[0] == '-') return pause();
  DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
  snprintf(full, sizeof full, PREFIX ".%s", name);
  unsigned flags = is("waits") ? 0 : DBUS_NAME_FLAG_DO_NOT_QUEUE;
  int wanted = is("waits") ? DBUS_REQUEST_NAME_REPLY_IN_QUEUE : DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER;
  if (!bus || dbus_bus_request_name(bus, full, flags, NULL) != wanted) fail("no name on the bus");
  dbus_connection_add_filter(bus, take, NULL, NULL);
  while (dbus_connection_read_write_dispatch(bus, -1)) continue;
  return 0;
}
