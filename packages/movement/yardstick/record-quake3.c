// The game that ioquake3's dedicated server loads to record what becomes of things that are thrown: it passes everything on to
// the server's own game, and looks at that one's entities after each frame. See scripts/record-quake3.ts in conformance.
//
// BSPKIT_GAME names the server's own game. BSPKIT_QUESTIONS names a file with
//   tokens N, then N lines: the map's entities, in place of its own
//   frames N, then N numbers: the length of each frame in milliseconds
//   launches N, then N lines: type path bounce factor age duration, the box's corners, where it is, its velocity
// Missiles are those that the map's shooters make, items those that it has; both get the numbers of the next launch of their
// type. BSPKIT_ANSWERS names the file for what is found: a line for each thing and frame.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef intptr_t (*server_call)(intptr_t, ...);
typedef intptr_t (*game_call)(intptr_t, ...);

// Calls of the server, and of the game, by number.
enum { GAME_DATA = 15, TRACE = 24, ENTITY_TOKEN = 37, INIT = 0, RUN_FRAME = 8 };
enum { ITEM = 2, MISSILE = 3, NO_ENTITY = 1023, PLAYERS = 64, MOST = 1024, MOST_STEPS = 80, REST = 3, ARGUMENTS = 14 };
enum { BOUNCE = 0x10, BOUNCE_HALF = 0x20, EXPLODED = 1, VANISHED = 2, START = 3100 };

/** How an entity begins. */
struct entity {
	int number, type, flags;
	struct { int type, time, duration; float base[3], delta[3]; } path, turn;
	int times[2];
	float origins[12];
	int others[2], ground;
	int rest[14];
	char shared[208];
	int linked, link_count, server_flags, client, is_model;
	float mins[3], maxs[3];
	int contents;
	float abs_mins[3], abs_maxs[3], origin[3], angles[3];
	int owner;
	char between[80];
	float bounce;
};

struct launch {
	int type, path, bounce, age, duration;
	float factor, mins[3], maxs[3], base[3], delta[3];
};

/** What the server answers to a trace. */
struct trace {
	int all_solid, start_solid;
	float fraction, end[3], normal[3], dist;
	int sides, surface_flags, contents, entity;
};

static server_call server;
static game_call game;
static char *entities;
static int entity_size;

static char **tokens;
static int *frames, token_count, frame_count, launch_count, next_token, next_launch[4];
static struct launch *launches;

/** Of each entity: how the last trace of its way was answered, and where to that led; whether one of its traces in this frame began
 * in solid; and how it began. */
static struct trace traces[MOST];
static float trace_ends[MOST][3], factors[MOST];
static int trace_counts[MOST], were_solid[MOST], types[MOST], bounces[MOST];
/** Its sequence and how many steps that has; whether it is the same thing still, and since when at rest. */
static int sequences[MOST], steps[MOST], is_known[MOST], rests[MOST], sequence_count;

static void *allocate(size_t count, size_t size) {
	void *memory = calloc(count, size);
	if (memory == NULL) abort();
	return memory;
}

static int take_count(FILE *file, const char *name) {
	char found[16];
	int count;
	if (fscanf(file, "%15s %d\n", found, &count) != 2 || strcmp(found, name) != 0) abort();
	return count;
}

static void take_floats(FILE *file, float *to, int count) {
	for (int k = 0; k < count; k++)
		if (fscanf(file, "%f", to + k) != 1) abort();
}

static void read_questions(void) {
	FILE *file = fopen(getenv("BSPKIT_QUESTIONS"), "r");
	if (file == NULL) abort();
	token_count = take_count(file, "tokens");
	tokens = allocate(token_count, sizeof *tokens);
	for (int k = 0; k < token_count; k++) {
		size_t room = 0;
		if (getline(&tokens[k], &room, file) < 0) abort();
		tokens[k][strcspn(tokens[k], "\n")] = 0;
	}
	frame_count = take_count(file, "frames");
	frames = allocate(frame_count, sizeof *frames);
	for (int k = 0; k < frame_count; k++)
		if (fscanf(file, "%d ", frames + k) != 1) abort();
	launch_count = take_count(file, "launches");
	launches = allocate(launch_count, sizeof *launches);
	for (int k = 0; k < launch_count; k++) {
		struct launch *to = launches + k;
		if (fscanf(file, "%d %d %d", &to->type, &to->path, &to->bounce) != 3) abort();
		take_floats(file, &to->factor, 1);
		if (fscanf(file, "%d %d", &to->age, &to->duration) != 2) abort();
		take_floats(file, to->mins, 3);
		take_floats(file, to->maxs, 3);
		take_floats(file, to->base, 3);
		take_floats(file, to->delta, 3);
	}
	fclose(file);
}

static const struct launch *take_launch(int type) {
	int *next = next_launch + type;
	while (*next < launch_count && launches[*next].type != type) ++*next;
	return *next < launch_count ? launches + (*next)++ : NULL;
}

static void print_floats(FILE *out, const float *from, int count) {
	for (int k = 0; k < count; k++) fprintf(out, " %.9g", from[k]);
}

/** Prints a row: see the columns in record-quake3.ts. "-" where nothing is known, as of what has gone. */
static void print_step(FILE *out, int number, int time, const struct entity *at, int gone) {
	const int is_first = steps[number] == 0, is_traced = trace_counts[number] > 0 && !is_first;
	const struct trace *trace = traces + number;
	fprintf(out, "%d %d %d %d %d %.9g", sequences[number], steps[number], time, types[number], bounces[number], factors[number]);
	if (is_traced) {
		print_floats(out, &trace->fraction, 7);
		fprintf(out, " %d %d %d", were_solid[number], trace->surface_flags, trace->entity);
		print_floats(out, trace_ends[number], 3);
	} else fprintf(out, " - - - - - - - - - - - - -");
	if (gone) fprintf(out, " - - - - - - - - - - - - -");
	else {
		fprintf(out, " %d %d %d", at->path.type, at->path.time, at->path.duration);
		print_floats(out, at->path.base, 6);
		print_floats(out, at->origin, 3);
		fprintf(out, " %d", at->ground);
	}
	if (is_first) fprintf(out, " -\n");
	else fprintf(out, " %d\n", gone);
	trace_counts[number] = were_solid[number] = 0;
	steps[number]++;
}

static int launch(int number, int time, struct entity *at) {
	const struct launch *from = take_launch(at->type);
	if (from == NULL) return 0;
	at->flags = (at->flags & ~(BOUNCE | BOUNCE_HALF)) | from->bounce << 4;
	at->bounce = from->factor;
	memcpy(at->mins, from->mins, sizeof at->mins);
	memcpy(at->maxs, from->maxs, sizeof at->maxs);
	at->path.type = from->path;
	at->path.time = time - from->age;
	at->path.duration = from->duration;
	memcpy(at->path.base, from->base, sizeof from->base);
	memcpy(at->path.delta, from->delta, sizeof from->delta);
	memcpy(at->origin, from->base, sizeof from->base);
	at->ground = NO_ENTITY;
	types[number] = at->type;
	bounces[number] = from->bounce;
	factors[number] = from->factor;
	sequences[number] = sequence_count++;
	steps[number] = rests[number] = 0;
	return 1;
}

static void look(FILE *out, int number, int time) {
	struct entity *at = (struct entity *)(entities + (size_t)number * entity_size);
	const int is_thing = at->number == number && (at->type == MISSILE || at->type == ITEM) && at->linked;
	// What a missile leaves behind where it hits is an event.
	const int was_known = is_known[number];
	if (!is_thing && !was_known) return;
	if (was_known && steps[number] > 0 && steps[number] <= MOST_STEPS) {
		print_step(out, number, time, at, is_thing ? 0 : at->number == number ? EXPLODED : VANISHED);
		if (at->path.type == 0) rests[number]++;
	}
	is_known[number] = is_thing;
	if (!is_thing) {
		steps[number] = 0;
		return;
	}
	const int is_over = rests[number] >= REST || steps[number] > MOST_STEPS;
	// A missile blows up some time later: it is launched once.
	if (at->type == ITEM ? !was_known || is_over : !was_known) {
		if (launch(number, time, at)) print_step(out, number, time, at, 0);
		else steps[number] = 0;
	} else if (is_over) {
		steps[number] = MOST_STEPS + 1;
	}
}

static void record(void) {
	FILE *out = fopen(getenv("BSPKIT_ANSWERS"), "w");
	if (out == NULL) abort();
	int time = 0;
	for (int k = 0; k < frame_count; k++) {
		time += frames[k];
		game(RUN_FRAME, (intptr_t)time);
		// Items are dropped to the floor first, and for two seconds what has gone may be replaced at once.
		if (time < START) continue;
		for (int number = PLAYERS; number < NO_ENTITY - 1; number++) look(out, number, time);
	}
	fclose(out);
	exit(0);
}

static intptr_t pass(intptr_t call, ...) {
	intptr_t a[ARGUMENTS];
	va_list list;
	va_start(list, call);
	for (int k = 0; k < ARGUMENTS; k++) a[k] = va_arg(list, intptr_t);
	va_end(list);
	if (call == GAME_DATA) {
		entities = (char *)a[0];
		entity_size = (int)a[2];
	}
	if (call == ENTITY_TOKEN) {
		if (next_token == token_count) return 0;
		snprintf((char *)a[0], (size_t)a[1], "%s", tokens[next_token++]);
		return 1;
	}
	if (call == TRACE && entities != NULL) {
		const intptr_t answer = server(call, a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
		// Things trace from where they are.
		const ptrdiff_t at = (char *)a[1] - entities;
		if (at >= 0 && at < (ptrdiff_t)entity_size * MOST) {
			const int number = (int)(at / entity_size);
			memcpy(traces + number, (void *)a[0], sizeof *traces);
			memcpy(trace_ends[number], (void *)a[4], sizeof *trace_ends);
			trace_counts[number]++;
			were_solid[number] |= traces[number].start_solid;
		}
		return answer;
	}
	return server(call, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13]);
}

void dllEntry(server_call call) {
	server = call;
	read_questions();
	void *module = dlopen(getenv("BSPKIT_GAME"), RTLD_NOW | RTLD_LOCAL);
	if (module == NULL) abort();
	((void (*)(server_call))dlsym(module, "dllEntry"))(pass);
	game = (game_call)dlsym(module, "vmMain");
}

intptr_t vmMain(intptr_t call, intptr_t a, intptr_t b, intptr_t c) {
	if (call == RUN_FRAME) record();
	// The same chances each time.
	return game(call, a, call == INIT ? 1 : b, c);
}
