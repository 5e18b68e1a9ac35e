// The game that Yamagi Quake II's dedicated server loads to record its answers: it reads questions, a line each, from the
// file that BSPKIT_QUESTIONS names, and writes a line for each into BSPKIT_ANSWERS.
//   place N MODEL OWNER DEAD MINS MAXS ORIGIN ANGLES
//                                links an entity: an inline model, or for model 0 a box; no answer
//   clear                        takes all out again; no answer
//   trace PASS MASK START END MINS MAXS
//                                fraction, end, normal, dist, start solid, all solid, contents; flags of the surface, and
//                                its place, counted from the first that was met, or x for none; entity, contents of the
//                                start, name of the surface
//   player MASK TYPE ORIGIN VELOCITY FLAGS TIME GRAVITY DELTA SNAP MSEC ANGLES FORWARD SIDE UP
//                                origin, velocity, flags, time, view height, mins, maxs, water level and type, ground,
//                                view, and what was touched
// Entities are numbers from 1; the world is 0, and -1 is none.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server.h"

static int mask;
static const struct surface *first_surface;

static int entity_number(void *entity) {
	return entity ? (int)(((char *)entity - entities[0]) / ENTITY_BYTES) : -1;
}

static struct trace trace_player(const float *start, const float *mins, const float *maxs, const float *end) {
	return server.trace(start, mins, maxs, end, NULL, mask);
}

static void print_floats(FILE *out, const float *numbers, int count) {
	for (int k = 0; k < count; k++) fprintf(out, " %.9g", numbers[k]);
}

static struct entity *numbered(int number) {
	if (number < 0) return NULL;
	if (number >= MOST_ENTITIES) _Exit(1);
	return (struct entity *)entities[number];
}

static void place(const int q[4], const float place[12]) {
	struct entity *entity = numbered(q[0]);
	char name[16];
	entity->number = q[0];
	entity->in_use = 1;
	entity->owner = numbered(q[2]);
	entity->flags = q[3] ? DEAD_MONSTER : 0;
	memcpy(entity->origin, place + 6, 12);
	memcpy(entity->angles, place + 9, 12);
	entity->solid = q[1] ? SOLID_MODEL : SOLID_BOX;
	if (q[1]) {
		snprintf(name, sizeof name, "*%d", q[1]);
		server.set_model(entity, name);
	} else {
		memcpy(entity->mins, place, 12);
		memcpy(entity->maxs, place + 3, 12);
	}
	server.link(entity);
}

static void clear(void) {
	for (int k = 1; k < MOST_ENTITIES; k++) {
		struct entity *entity = numbered(k);
		if (!entity->in_use) continue;
		server.unlink(entity);
		memset(entity, 0, ENTITY_BYTES);
	}
}

static void answer_trace(FILE *out, const int pass, const float q[12]) {
	const struct trace trace = server.trace(q, q + 6, q + 9, q + 3, numbered(pass), mask);
	fprintf(out, "%.9g", trace.fraction);
	print_floats(out, trace.end, 3);
	print_floats(out, trace.normal, 3);
	print_floats(out, &trace.dist, 1);
	const struct surface *surface = trace.surface && trace.surface->name[0] ? trace.surface : NULL;
	fprintf(out, " %d %d %d %d", trace.start_solid, trace.all_solid, trace.contents, surface ? surface->flags : 0);
	if (!surface) fprintf(out, " x");
	else {
		if (!first_surface) first_surface = surface;
		fprintf(out, " %ld", (long)(surface - first_surface));
	}
	fprintf(out, " %d %d %.16s\n", entity_number(trace.entity), server.contents(q), surface ? surface->name : "-");
}

static void answer_player(FILE *out, const int q[21]) {
	struct player_move move = {
		.state = {.type = q[0], .flags = q[7], .time = q[8], .gravity = q[9]},
		.command = {.msec = q[14], .forward = q[18], .side = q[19], .up = q[20]},
		.snap_initial = q[13],
		.trace = trace_player,
		.contents = server.contents,
	};
	for (int k = 0; k < 3; k++) {
		move.state.origin[k] = q[1 + k];
		move.state.velocity[k] = q[4 + k];
		move.state.delta_angles[k] = q[10 + k];
		move.command.angles[k] = q[15 + k];
	}
	server.move_player(&move);
	const int16_t *o = move.state.origin, *v = move.state.velocity;
	fprintf(out, "%d %d %d %d %d %d %d %d", o[0], o[1], o[2], v[0], v[1], v[2], move.state.flags, move.state.time);
	print_floats(out, &move.view_height, 1);
	print_floats(out, move.mins, 3);
	print_floats(out, move.maxs, 3);
	fprintf(out, " %d %d %d", move.water_level, move.water_type, entity_number(move.ground));
	print_floats(out, move.view, 3);
	for (int k = 0; k < move.touch_count; k++) fprintf(out, " %d", entity_number(move.touched[k]));
	fprintf(out, "\n");
}

/** Reads so many numbers, and returns what follows; stops the server where there are fewer. */
static char *read_floats(char *text, float *numbers, int count) {
	for (int k = 0; k < count; k++) {
		char *rest;
		numbers[k] = strtof(text, &rest);
		if (rest == text) _Exit(1);
		text = rest;
	}
	return text;
}

static char *read_ints(char *text, int *numbers, int count) {
	for (int k = 0; k < count; k++) {
		char *rest;
		numbers[k] = (int)strtol(text, &rest, 10);
		if (rest == text) _Exit(1);
		text = rest;
	}
	return text;
}

static void answer_all(void) {
	FILE *in = fopen(getenv("BSPKIT_QUESTIONS"), "r"), *out = fopen(getenv("BSPKIT_ANSWERS"), "w");
	if (!in || !out) _Exit(1);
	char line[4096];
	int ints[21];
	float floats[12];
	while (fgets(line, sizeof line, in)) {
		if (strcmp(line, "clear\n") == 0) clear();
		else if (strncmp(line, "place ", 6) == 0) {
			read_floats(read_ints(line + 6, ints, 4), floats, 12);
			place(ints, floats);
		} else if (strncmp(line, "trace ", 6) == 0) {
			read_floats(read_ints(line + 6, ints, 2), floats, 12);
			mask = ints[1];
			answer_trace(out, ints[0], floats);
		} else if (strncmp(line, "player ", 7) == 0) {
			read_ints(read_ints(line + 7, &mask, 1), ints, 21);
			answer_player(out, ints);
		} else _Exit(1);
	}
	if (fclose(out) != 0) _Exit(1);
	_Exit(0);
}

struct game *GetGameAPI(const struct server *offered) {
	return game_that_begins(offered, answer_all);
}
