// SPDX-License-Identifier: MIT
//
// A sound card without hardware, as a module of the PulseAudio server.
//
// It has profiles, each with at most one null sink, and sinks have ports. Only the jack is ours: what the
// server does when a port's availability changes (another port, another profile, streams moved) is its own.
//
//   card_name=NAME  card_properties="K=V K=V"
//   ports="NAME/TYPE/AVAILABILITY/PRIORITY NAME/..."   TYPE and AVAILABILITY as `pactl list` prints them
//   profiles="NAME/PRIORITY/SINK/PORT,PORT NAME/..."   SINK "-" for none; "off" is always there
//   release_first=1   the old sink goes before the new one comes, as with Bluetooth
//   pace=PERCENT   how fast its clock is, beside the machine's; a real one differs by a few thousandths of a percent
//   pactl send-message /fermata-card/NAME set-available '["PORT","no","PORT","yes"]'
//
// Built by build.sh against the server's internal headers.

#include <stdio.h>
#include <string.h>

#include <pulse/rtclock.h>
#include <pulse/timeval.h>
#include <pulse/xmalloc.h>
// The server's headers include one another in a circle that only holds when entered here.
#include <pulsecore/sink.h>

#include <pulsecore/card.h>
#include <pulsecore/core-util.h>
#include <pulsecore/device-port.h>
#include <pulsecore/json.h>
#include <pulsecore/log.h>
#include <pulsecore/macro.h>
#include <pulsecore/message-handler.h>
#include <pulsecore/modargs.h>
#include <pulsecore/module.h>
#include <pulsecore/rtpoll.h>
#include <pulsecore/thread-mq.h>
#include <pulsecore/thread.h>

PA_MODULE_AUTHOR("fermata");
PA_MODULE_DESCRIPTION("A sound card without hardware, for tests");
PA_MODULE_VERSION(PACKAGE_VERSION);
PA_MODULE_LOAD_ONCE(false);
PA_MODULE_USAGE("card_name= card_properties= ports= profiles= release_first= pace=");

static const char *const valid_arguments[] = {
  "card_name", "card_properties", "ports", "profiles", "release_first", "pace", NULL,
};

#define LONGEST_LATENCY (2 * PA_USEC_PER_SEC)

// The server finds these by name; its headers do not declare them.
int pa__init(pa_module *module);
void pa__done(pa_module *module);

struct userdata;

// What a profile carries; PulseAudio keeps it behind the profile itself and leaves its strings to us.
struct profile_data {
  char *sink_name;  // NULL: no sink
  char *ports;      // comma-separated
};

// One null sink with its thread.
struct output {
  struct userdata *card;
  pa_sink *sink;
  pa_thread *thread;
  pa_thread_mq mq;
  pa_rtpoll *rtpoll;
  pa_usec_t block;     // how much is rendered at once
  pa_usec_t rendered;  // the time up to which there is sound; IO thread only
};

struct userdata {
  pa_core *core;
  pa_module *module;
  pa_modargs *arguments;
  pa_card *card;
  struct output *output;
  char *message_path;
  bool release_first;
  uint32_t pace;
};

// The sink: it eats sound at the pace of a clock, as module-null-sink does. It takes sound back as a card does.

static pa_usec_t card_now(const struct output *output) {
  return pa_rtclock_now() * output->card->pace / 100;
}

static void set_block(struct output *output) {
  size_t bytes = pa_usec_to_bytes(output->block, &output->sink->sample_spec);
  pa_sink_set_max_rewind_within_thread(output->sink, bytes);
  pa_sink_set_max_request_within_thread(output->sink, bytes);
}

static int process_message(pa_msgobject *object, int code, void *data, int64_t offset, pa_memchunk *chunk) {
  struct output *output = PA_SINK(object)->userdata;
  if (code == PA_SINK_MESSAGE_GET_LATENCY) {
    *(int64_t *)data = (int64_t)output->rendered - (int64_t)card_now(output);
    return 0;
  }
  return pa_sink_process_msg(object, code, data, offset, chunk);
}

static int set_state(pa_sink *sink, pa_sink_state_t state, pa_suspend_cause_t cause) {
  struct output *output = sink->userdata;
  (void)cause;
  bool was_closed = !PA_SINK_IS_OPENED(sink->thread_info.state);
  if (was_closed && PA_SINK_IS_OPENED(state)) {
    output->rendered = card_now(output);
    set_block(output);
  }
  return 0;
}

static void update_latency(pa_sink *sink) {
  struct output *output = sink->userdata;
  pa_usec_t former = output->block;
  output->block = pa_sink_get_requested_latency_within_thread(sink);
  if (output->block == (pa_usec_t)-1)
    output->block = sink->thread_info.max_latency;
  // Unlike a null sink and like a card of ALSA, it takes back all that goes beyond a smaller latency.
  if (output->block < former)
    pa_sink_request_rewind(sink, (size_t)-1);
  set_block(output);
}

// A sink with ports must take any of them; all sound the same here.
static int set_port(pa_sink *sink, pa_device_port *port) {
  (void)sink;
  (void)port;
  return 0;
}

static void rewind_output(struct output *output, pa_usec_t now) {
  pa_sink *sink = output->sink;
  size_t bytes = sink->thread_info.rewind_nbytes;
  if (!PA_SINK_IS_OPENED(sink->thread_info.state) || bytes == 0 || output->rendered <= now) {
    pa_sink_process_rewind(sink, 0);  // the request must be answered even when nothing can be taken back
    return;
  }
  bytes = PA_MIN(bytes, pa_usec_to_bytes(output->rendered - now, &sink->sample_spec));
  pa_sink_process_rewind(sink, bytes);
  output->rendered -= pa_bytes_to_usec(bytes, &sink->sample_spec);
}

// The time counts as rendered before it is: rendering feeds the monitor, which holds back what can still be
// taken back, and asks the latency how much that is. Told later, it would let new sound go too early, and lose
// the beginning of whatever is played next.
static void render(struct output *output, pa_usec_t now) {
  pa_sink *sink = output->sink;
  size_t eaten = 0;
  while (output->rendered < now + output->block && eaten < sink->thread_info.max_request) {
    pa_memchunk chunk;
    pa_usec_t begin = output->rendered;
    size_t wanted = pa_usec_to_bytes(now + output->block - begin, &sink->sample_spec);
    wanted = PA_MIN(wanted, sink->thread_info.max_request);
    output->rendered = begin + pa_bytes_to_usec(wanted, &sink->sample_spec);
    pa_sink_render(sink, wanted, &chunk);
    pa_memblock_unref(chunk.memblock);
    output->rendered = begin + pa_bytes_to_usec(chunk.length, &sink->sample_spec);
    eaten += chunk.length;
  }
}

static void output_thread(void *argument) {
  struct output *output = argument;
  int result;
  pa_thread_mq_install(&output->mq);
  output->rendered = card_now(output);
  do {
    pa_usec_t now = card_now(output);
    if (PA_UNLIKELY(output->sink->thread_info.rewind_requested))
      rewind_output(output, now);
    if (PA_SINK_IS_OPENED(output->sink->thread_info.state)) {
      if (output->rendered <= now)
        render(output, now);
      pa_rtpoll_set_timer_absolute(output->rtpoll, output->rendered * 100 / output->card->pace);
    } else {
      pa_rtpoll_set_timer_disabled(output->rtpoll);
    }
    result = pa_rtpoll_run(output->rtpoll);
  } while (result > 0);
  if (result == 0)
    return;
  // The poll itself failed: have the module unloaded, and wait to be told to end as ever.
  pa_asyncmsgq_post(output->mq.outq, PA_MSGOBJECT(output->card->core), PA_CORE_MESSAGE_UNLOAD_MODULE,
                    output->card->module, 0, NULL, NULL);
  pa_asyncmsgq_wait_for(output->mq.inq, PA_MESSAGE_SHUTDOWN);
}

static void add_ports(pa_sink_new_data *data, pa_card *card, const char *names) {
  const char *state = NULL;
  char *name;
  while ((name = pa_split(names, ",", &state))) {
    pa_device_port *port = pa_hashmap_get(card->ports, name);
    if (port) {
      pa_device_port_ref(port);
      pa_hashmap_put(data->ports, port->name, port);
    }
    pa_xfree(name);
  }
}

static pa_sink *new_sink(struct userdata *u, const struct profile_data *profile) {
  pa_sink_new_data data;
  pa_sink_new_data_init(&data);
  data.driver = __FILE__;
  data.module = u->module;
  data.card = u->card;
  pa_sink_new_data_set_name(&data, profile->sink_name);
  pa_sink_new_data_set_sample_spec(&data, &u->core->default_sample_spec);
  pa_sink_new_data_set_channel_map(&data, &u->core->default_channel_map);
  pa_proplist_sets(data.proplist, PA_PROP_DEVICE_DESCRIPTION, profile->sink_name);
  pa_proplist_sets(data.proplist, PA_PROP_DEVICE_CLASS, "sound");
  add_ports(&data, u->card, profile->ports);
  pa_sink *sink = pa_sink_new(u->core, &data, PA_SINK_LATENCY | PA_SINK_DYNAMIC_LATENCY);
  pa_sink_new_data_done(&data);
  return sink;
}

// Teardown order: unlink (no stream comes any more), end the thread, then let go of what it used.
static void free_output(struct output *output) {
  if (!output)
    return;
  if (output->sink)
    pa_sink_unlink(output->sink);
  if (output->thread) {
    pa_asyncmsgq_send(output->mq.inq, NULL, PA_MESSAGE_SHUTDOWN, NULL, 0, NULL);
    pa_thread_free(output->thread);
  }
  pa_thread_mq_done(&output->mq);
  if (output->sink)
    pa_sink_unref(output->sink);
  pa_rtpoll_free(output->rtpoll);
  pa_xfree(output);
}

static void start_output(struct output *output) {
  pa_sink *sink = output->sink;
  size_t bytes = pa_usec_to_bytes(output->block, &sink->sample_spec);
  sink->userdata = output;
  sink->parent.process_msg = process_message;
  sink->set_state_in_io_thread = set_state;
  sink->update_requested_latency = update_latency;
  sink->set_port = set_port;
  pa_sink_set_asyncmsgq(sink, output->mq.inq);
  pa_sink_set_rtpoll(sink, output->rtpoll);
  pa_sink_set_max_rewind(sink, bytes);
  pa_sink_set_max_request(sink, bytes);
  output->thread = pa_thread_new("virtual-card", output_thread, output);
  pa_sink_set_latency_range(sink, 0, LONGEST_LATENCY);
  pa_sink_put(sink);
}

// NULL for a profile without a sink, and when the server refuses the sink's name.
static struct output *new_output(struct userdata *u, pa_card_profile *profile) {
  struct profile_data *data = PA_CARD_PROFILE_DATA(profile);
  if (!data->sink_name)
    return NULL;
  struct output *output = pa_xnew0(struct output, 1);
  output->card = u;
  output->block = LONGEST_LATENCY;
  output->rtpoll = pa_rtpoll_new();
  pa_thread_mq_init(&output->mq, u->core->mainloop, output->rtpoll);
  output->sink = new_sink(u, data);
  if (!output->sink) {
    free_output(output);
    return NULL;
  }
  start_output(output);
  return output;
}

// The card.

// As the server's own cards do it: ALSA takes the streams along to the new sink; Bluetooth frees the sink
// first, so that they are rescued to another card and come back.
static int set_profile(pa_card *card, pa_card_profile *profile) {
  struct userdata *u = card->userdata;
  struct profile_data *new = PA_CARD_PROFILE_DATA(profile);
  struct profile_data *old = PA_CARD_PROFILE_DATA(card->active_profile);
  pa_queue *streams = NULL;
  if (pa_safe_streq(new->sink_name, old->sink_name))
    return 0;
  if (u->output && !u->release_first)
    streams = pa_sink_move_all_start(u->output->sink, NULL);
  free_output(u->output);
  u->output = new_output(u, profile);
  if (streams && u->output)
    pa_sink_move_all_finish(u->output->sink, streams, false);
  else if (streams)
    pa_sink_move_all_fail(streams);
  return 0;
}

// A profile is unavailable when it has ports and all of them are.
static pa_available_t availability_of(struct userdata *u, pa_card_profile *profile) {
  pa_device_port *port;
  void *state;
  bool has_ports = false;
  PA_HASHMAP_FOREACH(port, u->card->ports, state) {
    if (!pa_hashmap_get(port->profiles, profile->name))
      continue;
    if (port->available != PA_AVAILABLE_NO)
      return PA_AVAILABLE_UNKNOWN;
    has_ports = true;
  }
  return has_ports ? PA_AVAILABLE_NO : PA_AVAILABLE_UNKNOWN;
}

// The active profile comes last: the server looks for another the moment it turns unavailable, and must
// then find the others up to date.
static void update_profiles(struct userdata *u) {
  pa_card_profile *profile, *active = u->card->active_profile;
  void *state;
  PA_HASHMAP_FOREACH(profile, u->card->profiles, state)
    if (profile != active)
      pa_card_profile_set_available(profile, availability_of(u, profile));
  pa_card_profile_set_available(active, availability_of(u, active));
}

static pa_available_t parse_availability(const char *text) {
  if (pa_streq(text, "yes"))
    return PA_AVAILABLE_YES;
  return pa_streq(text, "no") ? PA_AVAILABLE_NO : PA_AVAILABLE_UNKNOWN;
}

static const char *string_at(const pa_json_object *array, int index) {
  const pa_json_object *member = pa_json_object_get_array_member(array, index);
  return pa_json_object_get_type(member) == PA_JSON_TYPE_STRING ? pa_json_object_get_string(member) : NULL;
}

static int check_pairs(struct userdata *u, const pa_json_object *pairs) {
  if (!pairs || pa_json_object_get_type(pairs) != PA_JSON_TYPE_ARRAY)
    return -PA_ERR_INVALID;
  int count = pa_json_object_get_array_length(pairs);
  for (int i = 0; i < count; i += 2) {
    if (i + 1 == count || !string_at(pairs, i) || !string_at(pairs, i + 1))
      return -PA_ERR_INVALID;
    if (!pa_hashmap_get(u->card->ports, string_at(pairs, i)))
      return -PA_ERR_NOENTITY;
  }
  return PA_OK;
}

// What became available is told before what went, as a real jack does: otherwise the server would see a
// moment with no port at all and leave the card.
static int set_available(struct userdata *u, const pa_json_object *pairs) {
  int error = check_pairs(u, pairs);
  if (error != PA_OK)
    return error;
  int count = pa_json_object_get_array_length(pairs);
  for (int goes = 0; goes <= 1; goes++)
    for (int i = 0; i < count; i += 2) {
      pa_available_t available = parse_availability(string_at(pairs, i + 1));
      if ((available == PA_AVAILABLE_NO) == goes)
        pa_device_port_set_available(pa_hashmap_get(u->card->ports, string_at(pairs, i)), available);
    }
  update_profiles(u);
  return PA_OK;
}

static int handle_message(const char *path, const char *message, const pa_json_object *parameters,
                          char **response, void *userdata) {
  (void)path;
  if (!pa_streq(message, "set-available"))
    return -PA_ERR_NOTIMPLEMENTED;
  *response = pa_xstrdup("null");
  return set_available(userdata, parameters);
}

// The module's arguments.

static pa_device_port_type_t parse_port_type(const char *text) {
  static const struct {
    const char *name;
    pa_device_port_type_t type;
  } types[] = {
    {"speaker", PA_DEVICE_PORT_TYPE_SPEAKER},     {"headphones", PA_DEVICE_PORT_TYPE_HEADPHONES},
    {"headset", PA_DEVICE_PORT_TYPE_HEADSET},     {"handset", PA_DEVICE_PORT_TYPE_HANDSET},
    {"earpiece", PA_DEVICE_PORT_TYPE_EARPIECE},   {"line", PA_DEVICE_PORT_TYPE_LINE},
    {"spdif", PA_DEVICE_PORT_TYPE_SPDIF},         {"hdmi", PA_DEVICE_PORT_TYPE_HDMI},
    {"tv", PA_DEVICE_PORT_TYPE_TV},               {"usb", PA_DEVICE_PORT_TYPE_USB},
    {"bluetooth", PA_DEVICE_PORT_TYPE_BLUETOOTH}, {"portable", PA_DEVICE_PORT_TYPE_PORTABLE},
    {"handsfree", PA_DEVICE_PORT_TYPE_HANDSFREE}, {"car", PA_DEVICE_PORT_TYPE_CAR},
    {"hifi", PA_DEVICE_PORT_TYPE_HIFI},           {"phone", PA_DEVICE_PORT_TYPE_PHONE},
    {"network", PA_DEVICE_PORT_TYPE_NETWORK},     {"analog", PA_DEVICE_PORT_TYPE_ANALOG},
  };
  for (unsigned i = 0; i < PA_ELEMENTSOF(types); i++)
    if (pa_streq(text, types[i].name))
      return types[i].type;
  return PA_DEVICE_PORT_TYPE_UNKNOWN;
}

static int add_port(struct userdata *u, pa_card_new_data *card, const char *text) {
  char name[128], type[32], available[16];
  unsigned priority;
  if (sscanf(text, "%127[^/]/%31[^/]/%15[^/]/%u", name, type, available, &priority) != 4) {
    pa_log("a port is NAME/TYPE/AVAILABILITY/PRIORITY, not \"%s\"", text);
    return -1;
  }
  pa_device_port_new_data data;
  pa_device_port_new_data_init(&data);
  pa_device_port_new_data_set_name(&data, name);
  pa_device_port_new_data_set_description(&data, name);
  pa_device_port_new_data_set_available(&data, parse_availability(available));
  pa_device_port_new_data_set_direction(&data, PA_DIRECTION_OUTPUT);
  pa_device_port_new_data_set_type(&data, parse_port_type(type));
  pa_device_port *port = pa_device_port_new(u->core, &data, 0);
  pa_device_port_new_data_done(&data);
  port->priority = priority;
  pa_hashmap_put(card->ports, port->name, port);
  return 0;
}

static pa_card_profile *new_profile(const char *name, unsigned priority, const char *sink, const char *ports) {
  pa_card_profile *profile = pa_card_profile_new(name, name, sizeof(struct profile_data));
  struct profile_data *data = PA_CARD_PROFILE_DATA(profile);
  profile->priority = priority;
  profile->available = PA_AVAILABLE_UNKNOWN;
  data->ports = pa_xstrdup(ports);
  data->sink_name = NULL;
  if (sink) {
    data->sink_name = pa_xstrdup(sink);
    profile->output_name = pa_xstrdup(name);
    profile->n_sinks = 1;
    profile->max_sink_channels = 2;
  }
  return profile;
}

static int add_profile(struct userdata *u, pa_card_new_data *card, const char *text) {
  char name[128], sink[128], ports[512] = "";
  unsigned priority;
  (void)u;
  if (sscanf(text, "%127[^/]/%u/%127[^/]/%511s", name, &priority, sink, ports) < 3) {
    pa_log("a profile is NAME/PRIORITY/SINK/PORT,PORT, not \"%s\"", text);
    return -1;
  }
  pa_card_profile *profile = new_profile(name, priority, pa_streq(sink, "-") ? NULL : sink, ports);
  const char *state = NULL;
  char *port_name;
  while ((port_name = pa_split(ports, ",", &state))) {
    pa_device_port *port = pa_hashmap_get(card->ports, port_name);
    if (port)
      pa_hashmap_put(port->profiles, profile->name, profile);
    pa_xfree(port_name);
  }
  pa_hashmap_put(card->profiles, profile->name, profile);
  return 0;
}

static int add_each(struct userdata *u, pa_card_new_data *card, const char *argument,
                    int (*add)(struct userdata *, pa_card_new_data *, const char *)) {
  const char *state = NULL;
  char *word;
  int result = 0;
  while (result == 0 && (word = pa_split_spaces(pa_modargs_get_value(u->arguments, argument, ""), &state))) {
    result = add(u, card, word);
    pa_xfree(word);
  }
  return result;
}

static pa_card *new_card(struct userdata *u) {
  pa_card_new_data data;
  pa_card *card = NULL;
  pa_card_new_data_init(&data);
  data.driver = __FILE__;
  data.module = u->module;
  data.namereg_fail = true;
  pa_card_new_data_set_name(&data, pa_modargs_get_value(u->arguments, "card_name", "virtual"));
  pa_card_profile *off = new_profile("off", 0, NULL, "");
  pa_hashmap_put(data.profiles, off->name, off);
  if (pa_modargs_get_proplist(u->arguments, "card_properties", data.proplist, PA_UPDATE_REPLACE) >= 0 &&
      add_each(u, &data, "ports", add_port) == 0 && add_each(u, &data, "profiles", add_profile) == 0)
    card = pa_card_new(u->core, &data);
  pa_card_new_data_done(&data);
  return card;
}

static void put_card(struct userdata *u) {
  pa_card_profile *profile;
  void *state;
  u->card->userdata = u;
  u->card->set_profile = set_profile;
  // Before the card is put, availability is set plainly: there is nobody to be told yet.
  PA_HASHMAP_FOREACH(profile, u->card->profiles, state)
    profile->available = availability_of(u, profile);
  pa_card_choose_initial_profile(u->card);
  pa_card_put(u->card);
  u->output = new_output(u, u->card->active_profile);
}

int pa__init(pa_module *module) {
  struct userdata *u = pa_xnew0(struct userdata, 1);
  module->userdata = u;
  u->core = module->core;
  u->module = module;
  u->pace = 100;
  u->arguments = pa_modargs_new(module->argument, valid_arguments);
  if (!u->arguments || pa_modargs_get_value_boolean(u->arguments, "release_first", &u->release_first) < 0 ||
      pa_modargs_get_value_u32(u->arguments, "pace", &u->pace) < 0 || u->pace == 0 ||
      !(u->card = new_card(u))) {
    pa_log("the arguments do not describe a card");
    pa__done(module);
    return -1;
  }
  put_card(u);
  u->message_path = pa_sprintf_malloc("/fermata-card/%s", u->card->name);
  pa_message_handler_register(u->core, u->message_path, "a virtual card's jacks", handle_message, u);
  return 0;
}

static void free_profile_data(pa_card *card) {
  pa_card_profile *profile;
  void *state;
  PA_HASHMAP_FOREACH(profile, card->profiles, state) {
    struct profile_data *data = PA_CARD_PROFILE_DATA(profile);
    pa_xfree(data->sink_name);
    pa_xfree(data->ports);
    data->sink_name = data->ports = NULL;
  }
}

void pa__done(pa_module *module) {
  struct userdata *u = module->userdata;
  if (!u)
    return;
  module->userdata = NULL;
  if (u->message_path)
    pa_message_handler_unregister(u->core, u->message_path);
  pa_xfree(u->message_path);
  free_output(u->output);  // the server wants a card's sinks gone before the card
  if (u->card) {
    free_profile_data(u->card);
    pa_card_free(u->card);
  }
  if (u->arguments)
    pa_modargs_free(u->arguments);
  pa_xfree(u);
}
