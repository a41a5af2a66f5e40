// SPDX-License-Identifier: MIT
//
// `libfermata-av.so`: FFmpeg behind the table in fermata_av.h. The Makefile compiles it with the release's own headers, as Swift's
// package manager cannot leave out a target whose headers are missing. From FFmpeg 4.4 on.
#include "fermata_av.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>

// Channels have been described by a structure since libavutil 57.24 (FFmpeg 5.1).
#define HAS_LAYOUTS (LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 24, 100))
#if LIBAVFORMAT_VERSION_MAJOR >= 59
typedef const AVCodec Codec;
typedef const AVInputFormat Container;
typedef size_t SideSize;
#else
typedef AVCodec Codec;
typedef AVInputFormat Container;
typedef int SideSize;
#endif

enum {
  buffer_size = 32 << 10,
  // The most memory that FFmpeg may take at once. A book of 24 hours needs 90 MB for its index; a small file that claims fifty million packets would
  // take a gigabyte.
  largest_piece = 128 << 20,
  most_streams = 32,
  most_channels = 8,
  // How many damaged packets in a row are stepped over.
  most_bad_packets = 64,
  // How many packets in a row may give no sound.
  most_silent_packets = 4096,
  most_skipped = 1 << 20,
};

// The only containers and codecs that are allowed: no other part of FFmpeg sees a byte of a file.
static const char containers[] = "mov,aac,wv,ape,asf,matroska,tta,ac3,eac3,dts,dsf,iff,mpc,mpc8";
static const char codecs[] =
    "aac,alac,flac,opus,vorbis,mp3float,mp3,mp2float,mp2,mp1float,wavpack,ape,wmav1,wmav2,wmapro,wmalossless,wmavoice,tta,ac3,"
    "eac3,dca,mpc7,mpc8,amrnb,amrwb,dst,"
    "dsd_lsbf,dsd_lsbf_planar,dsd_msbf,dsd_msbf_planar,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,"
    "pcm_f32be,pcm_f64le,pcm_u8,pcm_s8,pcm_alaw,pcm_mulaw";

struct fav_sound {
  fav_input input;
  int64_t place;
  AVIOContext *io;
  AVFormatContext *file;
  AVCodecContext *codec;
  AVPacket *packet;
  AVFrame *frame;
  int stream;
  int is_drained;
  float *samples;
  size_t room;
  // The form of the sound, as it was said when the file was opened.
  int rate;
  int channels;
};

// MARK: Bytes

static int read_bytes(void *opaque, uint8_t *to, int count) {
  fav_sound *sound = opaque;
  if (sound->place >= sound->input.size) return AVERROR_EOF;
  const int64_t left = sound->input.size - sound->place;
  const int got = sound->input.read(sound->input.context, sound->place, to, left < count ? (int)left : count);
  if (got < 0) return AVERROR_EXIT;
  if (got == 0) return AVERROR_EOF;
  sound->place += got;
  return got;
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence) {
  fav_sound *sound = opaque;
  whence &= ~AVSEEK_FORCE;
  if (whence == AVSEEK_SIZE) return sound->input.size;
  const int64_t base = whence == SEEK_CUR ? sound->place : whence == SEEK_END ? sound->input.size : 0;
  int64_t target;
  if (__builtin_add_overflow(base, offset, &target) || target < 0) return AVERROR(EINVAL);
  return sound->place = target;
}

// A file may name other files: parts, keys, sounds of another place. None of them is opened.
static int refuse(AVFormatContext *file, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
  (void)file, (void)io, (void)url, (void)flags, (void)options;
  return AVERROR(EPERM);
}

// MARK: Opening

static void close_sound(fav_sound *sound) {
  if (!sound) return;
  av_frame_free(&sound->frame);
  av_packet_free(&sound->packet);
  avcodec_free_context(&sound->codec);
  avformat_close_input(&sound->file);
  // FFmpeg may have replaced the buffer that it was given.
  if (sound->io) av_freep(&sound->io->buffer);
  avio_context_free(&sound->io);
  free(sound->samples);
  free(sound);
}

static int open_container(fav_sound *sound, const char *name) {
  Container *container = av_find_input_format(name);
  if (!container) return AVERROR_DEMUXER_NOT_FOUND;
  uint8_t *buffer = av_malloc(buffer_size);
  if (!buffer) return AVERROR(ENOMEM);
  sound->io = avio_alloc_context(buffer, buffer_size, 0, sound, read_bytes, NULL, seek_bytes);
  if (!sound->io) {
    av_free(buffer);
    return AVERROR(ENOMEM);
  }
  sound->file = avformat_alloc_context();
  if (!sound->file) return AVERROR(ENOMEM);
  sound->file->pb = sound->io;
  sound->file->flags |= AVFMT_FLAG_CUSTOM_IO;
  sound->file->io_open = refuse;
  AVDictionary *options = NULL;
  av_dict_set(&options, "format_whitelist", containers, 0);
  av_dict_set(&options, "codec_whitelist", codecs, 0);
  av_dict_set(&options, "protocol_whitelist", "none", 0);
  av_dict_set_int(&options, "max_streams", most_streams, 0);
  av_dict_set_int(&options, "probesize", 1000000, 0);
  av_dict_set_int(&options, "analyzeduration", 2000000, 0);
  av_dict_set_int(&options, "max_probe_packets", 100, 0);
  // FFmpeg is not to cut the beginning and the end of a sound: each of its releases cuts MP4 in a way of its own. The caller cuts them.
  av_dict_set_int(&options, "ignore_editlist", 1, 0);
  const int failure = avformat_open_input(&sound->file, "", container, &options);
  av_dict_free(&options);
  return failure;
}

// Chooses the track to decode, and lets the demuxer leave out all others.
static int choose_stream(fav_sound *sound) {
  for (unsigned i = 0; i < sound->file->nb_streams; i++)
    if (sound->file->streams[i]->codecpar->codec_type != AVMEDIA_TYPE_AUDIO) sound->file->streams[i]->discard = AVDISCARD_ALL;
  const int failure = avformat_find_stream_info(sound->file, NULL);
  if (failure < 0) return failure;
  sound->stream = av_find_best_stream(sound->file, AVMEDIA_TYPE_AUDIO, -1, -1, NULL, 0);
  for (unsigned i = 0; i < sound->file->nb_streams; i++)
    sound->file->streams[i]->discard = (int)i == sound->stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  return sound->stream;
}

static int is_allowed(const char *name) {
  const size_t length = strlen(name);
  for (const char *at = codecs; (at = strstr(at, name)); at += length)
    if ((at == codecs || at[-1] == ',') && (at[length] == ',' || at[length] == 0)) return 1;
  return 0;
}

static int open_codec(fav_sound *sound) {
  AVStream *stream = sound->file->streams[sound->stream];
  Codec *codec = avcodec_find_decoder(stream->codecpar->codec_id);
  if (!codec || !is_allowed(codec->name)) return AVERROR_DECODER_NOT_FOUND;
  sound->codec = avcodec_alloc_context3(codec);
  sound->packet = av_packet_alloc();
  sound->frame = av_frame_alloc();
  if (!sound->codec || !sound->packet || !sound->frame) return AVERROR(ENOMEM);
  int failure = avcodec_parameters_to_context(sound->codec, stream->codecpar);
  if (failure < 0) return failure;
  sound->codec->pkt_timebase = stream->time_base;
  sound->codec->thread_count = 1;
  sound->codec->flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL;
  AVDictionary *options = NULL;
  // AC-3 is decoded as loud as it was made, without evening out loud and soft parts.
  av_dict_set(&options, "drc_scale", "0", 0);
  failure = avcodec_open2(sound->codec, codec, &options);
  av_dict_free(&options);
  return failure;
}

static int channels_of(const AVCodecContext *codec) {
#if HAS_LAYOUTS
  return codec->ch_layout.nb_channels;
#else
  return codec->channels;
#endif
}

static uint64_t positions_of(const AVCodecContext *codec) {
#if HAS_LAYOUTS
  return codec->ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? codec->ch_layout.u.mask : 0;
#else
  return codec->channel_layout;
#endif
}

static void describe(const fav_sound *sound, fav_facts *facts) {
  const AVStream *stream = sound->file->streams[sound->stream];
  facts->rate = sound->codec->sample_rate;
  facts->channels = channels_of(sound->codec);
  facts->positions = positions_of(sound->codec);
  facts->stream = stream->id;
  facts->frame = stream->codecpar->frame_size;
  facts->padding = stream->codecpar->initial_padding;
  facts->units = stream->time_base.den;
  facts->unit_seconds = stream->time_base.num;
  facts->length = stream->duration == AV_NOPTS_VALUE ? FAV_NO_TIME : stream->duration;
  if (facts->length == FAV_NO_TIME && sound->file->duration > 0)
    facts->length = av_rescale_q(sound->file->duration, AV_TIME_BASE_Q, stream->time_base);
  facts->is_length_stated = sound->file->duration_estimation_method == AVFMT_DURATION_FROM_STREAM;
}

static fav_problem problem_of(int failure) {
  switch (failure) {
    case AVERROR_STREAM_NOT_FOUND: return FAV_SILENT;
    case AVERROR_DECODER_NOT_FOUND:
    case AVERROR_DEMUXER_NOT_FOUND:
    case AVERROR_PATCHWELCOME: return FAV_UNSUPPORTED;
    case AVERROR(ENOMEM): return FAV_LARGE;
    default: return FAV_DAMAGED;
  }
}

static fav_sound *open_sound(const char *container, const fav_input *input, fav_facts *facts, fav_problem *problem) {
  memset(facts, 0, sizeof *facts);
  fav_sound *sound = calloc(1, sizeof *sound);
  int failure = sound ? 0 : AVERROR(ENOMEM);
  if (failure >= 0) {
    sound->input = *input;
    failure = open_container(sound, container);
  }
  if (failure >= 0) failure = choose_stream(sound);
  if (failure >= 0) {
    const char *name = avcodec_get_name(sound->file->streams[sound->stream]->codecpar->codec_id);
    strncpy(facts->codec, name, sizeof facts->codec - 1);
    failure = open_codec(sound);
  }
  if (failure >= 0) {
    describe(sound, facts);
    sound->rate = facts->rate;
    sound->channels = facts->channels;
    if (facts->channels > most_channels) failure = AVERROR_PATCHWELCOME;
    else if (facts->rate <= 0 || facts->channels <= 0 || facts->units <= 0 || facts->unit_seconds <= 0) failure = AVERROR_INVALIDDATA;
  }
  *problem = failure < 0 ? problem_of(failure) : FAV_FINE;
  if (failure >= 0) return sound;
  close_sound(sound);
  return NULL;
}

// MARK: Samples

#define COPY(type, expression)                                                                \
  for (int c = 0; c < channels; c++) {                                                        \
    const type *from = (const type *)(planar ? frame->extended_data[c] : frame->data[0] + c * (int)sizeof(type)); \
    const int step = planar ? 1 : channels;                                                   \
    float *to = sound->samples + c;                                                           \
    for (int i = 0; i < count; i++, to += channels, from += step) {                           \
      const type x = *from;                                                                   \
      *to = (float)(expression);                                                              \
    }                                                                                         \
  }                                                                                           \
  break

// Whether a frame has the form that was said when the file was opened. The sound of a recorded broadcast may go on in another one, and FFmpeg's decoder
// then changes its own description of it without a word.
static int has_form(const fav_sound *sound) {
  const AVFrame *frame = sound->frame;
#if HAS_LAYOUTS
  const int channels = frame->ch_layout.nb_channels;
#else
  const int channels = frame->channels;
#endif
  return channels == sound->channels && frame->sample_rate == sound->rate;
}

// Makes floats of a frame in any of FFmpeg's formats. False if there is no memory.
static int convert(fav_sound *sound) {
  const AVFrame *frame = sound->frame;
  const int channels = sound->channels;
  const int count = frame->nb_samples;
  const size_t needed = (size_t)count * (size_t)channels;
  if (needed > sound->room) {
    float *larger = realloc(sound->samples, needed * sizeof(float));
    if (!larger) return 0;
    sound->samples = larger;
    sound->room = needed;
  }
  const int planar = av_sample_fmt_is_planar(frame->format);
  switch (av_get_packed_sample_fmt(frame->format)) {
    case AV_SAMPLE_FMT_FLT: COPY(float, x);
    case AV_SAMPLE_FMT_DBL: COPY(double, x);
    case AV_SAMPLE_FMT_S16: COPY(int16_t, x / 32768.0f);
    case AV_SAMPLE_FMT_S32: COPY(int32_t, x / 2147483648.0);
    case AV_SAMPLE_FMT_U8: COPY(uint8_t, (x - 128) / 128.0f);
    case AV_SAMPLE_FMT_S64: COPY(int64_t, x / 9223372036854775808.0);
    default: return 0;
  }
  return 1;
}

static void deliver(const fav_sound *sound, fav_block *block) {
  const AVFrame *frame = sound->frame;
  block->samples = sound->samples;
  block->frames = frame->nb_samples;
  block->time = frame->best_effort_timestamp == AV_NOPTS_VALUE ? FAV_NO_TIME : frame->best_effort_timestamp;
  block->skip = block->discard = 0;
  const AVFrameSideData *side = av_frame_get_side_data(frame, AV_FRAME_DATA_SKIP_SAMPLES);
  if (!side || side->size < (SideSize)10) return;
  const uint32_t skip = AV_RL32(side->data), discard = AV_RL32(side->data + 4);
  // The padding at the beginning may be longer than the first frame.
  block->skip = skip > most_skipped ? most_skipped : (int)skip;
  block->discard = discard > (uint32_t)frame->nb_samples ? frame->nb_samples : (int)discard;
}

// Whether a block is the first packet of Vorbis, or the first after a seek, which only prepares the decoder for the next one. Old releases of FFmpeg,
// such as 5.1, do not deliver it; newer ones, such as 7.1.5, deliver what is in it and say that all of it is padding.
static int is_preparation(const fav_sound *sound, const fav_block *block) {
  return sound->codec->codec_id == AV_CODEC_ID_VORBIS && block->skip >= block->frames;
}

// Gives the decoder the next packet of the sound: 0, or the failure to read one.
static int send_packet(fav_sound *sound, int *bad_packets) {
  const int failure = av_read_frame(sound->file, sound->packet);
  if (failure == AVERROR(EAGAIN)) return 0;
  if (failure < 0) {
    // No packet is left, but the decoder may still hold the last frames. Whether the file could not be read is known to whoever supplies its bytes.
    sound->is_drained = 1;
    return avcodec_send_packet(sound->codec, NULL) == AVERROR(ENOMEM) ? AVERROR(ENOMEM) : 0;
  }
  int sent = 0;
  if (sound->packet->stream_index == sound->stream) sent = avcodec_send_packet(sound->codec, sound->packet);
  av_packet_unref(sound->packet);
  if (sent == AVERROR(ENOMEM)) return sent;
  if (sent < 0 && ++*bad_packets > most_bad_packets) return sent;
  return 0;
}

static int next_block(fav_sound *sound, fav_block *block) {
  int bad_packets = 0;
  for (int silent = 0; silent < most_silent_packets; silent++) {
    const int got = avcodec_receive_frame(sound->codec, sound->frame);
    if (got == AVERROR_EOF) return 0;
    if (got >= 0) {
      if (sound->frame->nb_samples <= 0) continue;
      // A recording may begin with a few frames in another form. Where it goes on in one, it cannot be decoded further.
      if (!has_form(sound)) {
        if (++bad_packets > most_bad_packets) return -1;
        continue;
      }
      if (!convert(sound)) return -1;
      deliver(sound, block);
      if (is_preparation(sound, block)) continue;
      return 1;
    }
    if (got != AVERROR(EAGAIN) && ++bad_packets > most_bad_packets) return -1;
    if (sound->is_drained && got != AVERROR(EAGAIN)) continue;
    if (sound->is_drained) return 0;
    if (send_packet(sound, &bad_packets) < 0) return -1;
  }
  return -1;
}

static int seek_time(fav_sound *sound, int64_t time) {
  const int failure = av_seek_frame(sound->file, sound->stream, time, AVSEEK_FLAG_BACKWARD);
  if (failure < 0) return failure;
  avcodec_flush_buffers(sound->codec);
  sound->is_drained = 0;
  return 0;
}

static const fav_table table = {FAV_VERSION, av_version_info, open_sound, next_block, seek_time, close_sound};

__attribute__((visibility("default"))) const fav_table *fermata_av(int version) {
  if (version != FAV_VERSION) return NULL;
  av_log_set_level(AV_LOG_QUIET);
  av_max_alloc(largest_piece);
  return &table;
}
