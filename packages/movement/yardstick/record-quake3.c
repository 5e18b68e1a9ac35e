// The game that ioquake3's dedicated server loads to record what becomes of things that are thrown: it passes everything on to
// the server's own game, and looks at that one's entities after each frame. See scripts/record-quake3.ts in conformance.
//
// BSPKIT_GAME names the server's own game. BSPKIT_QUESTIONS names a file with
//   tokens N, then N lines: the map's entities, in place of its own
//   frames N, then N numbers: the length of each frame in milliseconds
//   launches N, then N lines: type path bounce factor age duration, the box's corners, where it is, its velocity
// Missiles are those that the map's shooters make, items those that it has; both get the numbers of the next launch of their
// type. BSPKIT_ANSWERS names the file for what is found: a line for each thing and frame.

#include "record-quake3.h"

enum { MOST_STEPS = 80, REST = 3 };
enum { BOUNCE = 0x10, BOUNCE_HALF = 0x20, EXPLODED = 1, VANISHED = 2 };

struct launch {
	int type, path, bounce, age, duration;
	float factor, mins[3], maxs[3], base[3], delta[3];
};

static int *frames, frame_count, launch_count, next_launch[4];
static struct launch *launches;

/** Of each entity: how the last trace of its way was answered, and where to that led; whether one of its traces in this frame began
 * in solid; and how it began. */
static struct trace traces[MOST];
static float trace_ends[MOST][3], factors[MOST];
static int trace_counts[MOST], were_solid[MOST], types[MOST], bounces[MOST];
/** Its sequence and how many steps that has; whether it is the same thing still, and since when at rest. */
static int sequences[MOST], steps[MOST], is_known[MOST], rests[MOST], sequence_count;

static void read_questions(void) {
	FILE *file = open_file("BSPKIT_QUESTIONS", "r");
	take_tokens(file);
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
	struct entity *at = entity_of(number);
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
	FILE *out = open_file("BSPKIT_ANSWERS", "w");
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
	intptr_t a[ARGUMENTS], answer = 0;
	READ_ARGUMENTS(a, call);
	if (is_answered(call, a, &answer)) return answer;
	answer = ask_server(call, a);
	if (call != TRACE || entities == NULL) return answer;
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

void dllEntry(server_call call) {
	server = call;
	read_questions();
	load_game(pass);
}

intptr_t vmMain(intptr_t call, intptr_t a, intptr_t b, intptr_t c) {
	if (call == RUN_FRAME) record();
	// The same chances each time.
	return game(call, a, call == INIT ? 1 : b, c);
}
