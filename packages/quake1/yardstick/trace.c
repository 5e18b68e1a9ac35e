// The engine's recursive hull check as it is usually written in C. Only the benchmark uses it, to have something native
// to compare with.

#include "yardstick.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Words of the buffer, as layout.ts tells them.
enum {
	SECTIONS = 10,
	PLANES = 0,
	PLANE_WORDS = 5,
	MODELS = 4,
	MODEL_WORDS = 16,
	MODEL_HEADS = 9,
	NODE_DIST = 1,
	NODE_CHILDREN = 2,
	NODE_NORMAL = 4,
	NODE_WORDS = 4,
	PLANE_SHIFT = 3,
	CONTENTS_MASK = 63,
	EMPTY = -1,
	SOLID = -2,
	/** Sides of a box entity. */
	FACES = 6,
};

#define EPSILON 0.03125
#define BACK_OFF 0.1

struct tracer {
	const int32_t *ints;
	const float *floats;
	/** The planes that nodes name. */
	const float *planes;
	int32_t head;
	/** Of a box entity: its tree, and its planes. */
	int32_t box[FACES * (NODE_WORDS + PLANE_WORDS)];
	/** The move under way. */
	bool is_stopped;
	struct answer answer;
};

static float distance(const struct tracer *t, int32_t node, const float point[3]) {
	// Kinds 4 to 6 are traced as if across x, y or z.
	const int kind = t->ints[node] & 7;
	const float dist = t->floats[node + NODE_DIST];
	if (kind != 3) return point[kind & 3] - dist;
	const float *normal = t->floats + node + NODE_NORMAL;
	return normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2] - dist;
}

static int contents(int32_t leaf) {
	return -(~leaf & CONTENTS_MASK);
}

static int point_contents(const struct tracer *t, int32_t node, const float point[3]) {
	while (node >= 0) node = t->ints[node + NODE_CHILDREN + (distance(t, node, point) < 0)];
	return contents(node);
}

/** Whether the move may go on behind this piece. */
static bool check(struct tracer *t, int32_t node, float from, float to, const float start[3], const float end[3]) {
	if (node < 0) {
		if (contents(node) == SOLID) t->answer.start_solid = true;
		else t->answer.all_solid = false;
		return true;
	}
	const float d1 = distance(t, node, start);
	const float d2 = distance(t, node, end);
	const int32_t *children = t->ints + node + NODE_CHILDREN;
	if (d1 >= 0 && d2 >= 0) return check(t, children[0], from, to, start, end);
	if (d1 < 0 && d2 < 0) return check(t, children[1], from, to, start, end);
	float fraction = d1 < 0 ? (d1 + EPSILON) / (d1 - d2) : (d1 - EPSILON) / (d1 - d2);
	if (fraction < 0) fraction = 0;
	if (fraction > 1) fraction = 1;
	float mid_fraction = from + (to - from) * fraction;
	float mid[3];
	for (int k = 0; k < 3; k++) mid[k] = start[k] + fraction * (end[k] - start[k]);
	const int side = d1 < 0;
	if (!check(t, children[side], from, mid_fraction, start, mid)) return false;
	if (point_contents(t, children[!side], mid) != SOLID) {
		return check(t, children[!side], mid_fraction, to, mid, end);
	}
	if (t->answer.all_solid) return false;
	t->is_stopped = true;
	while (point_contents(t, t->head, mid) == SOLID) {
		fraction -= BACK_OFF;
		if (!(fraction >= 0)) break;
		mid_fraction = from + (to - from) * fraction;
		for (int k = 0; k < 3; k++) mid[k] = start[k] + fraction * (end[k] - start[k]);
	}
	t->answer.fraction = mid_fraction;
	memcpy(t->answer.end, mid, sizeof mid);
	const float *plane = t->planes + PLANE_WORDS * (t->ints[node] >> PLANE_SHIFT);
	for (int k = 0; k < 3; k++) t->answer.normal[k] = side ? 0 - plane[k] : plane[k];
	t->answer.contents = SOLID;
	return false;
}

struct tracer *yardstick_create(const void *data, const struct shape *shape) {
	if (strcmp(shape->kind, "hull") != 0) return NULL;
	struct tracer *t = calloc(1, sizeof *t);
	t->ints = data;
	t->floats = data;
	t->planes = t->floats + t->ints[SECTIONS + 2 * PLANES];
	t->head = t->ints[t->ints[SECTIONS + 2 * MODELS] + MODEL_WORDS * shape->model + MODEL_HEADS + shape->number];
	return t;
}

static int32_t leaf(int contents) {
	return ~-contents;
}

struct tracer *yardstick_create_box(const float mins[3], const float maxs[3]) {
	struct tracer *t = calloc(1, sizeof *t);
	float *planes = (float *)t->box + FACES * NODE_WORDS;
	t->ints = t->box;
	t->floats = (const float *)t->box;
	t->planes = planes;
	// Greatest x, least x, greatest y and so on, all facing along their axis, with the box behind them.
	for (int face = 0; face < FACES; face++) {
		const int axis = face >> 1, outside = face & 1;
		const float dist = outside ? mins[axis] : maxs[axis];
		int32_t *node = t->box + NODE_WORDS * face;
		node[0] = face << PLANE_SHIFT | axis;
		memcpy(node + NODE_DIST, &dist, sizeof dist);
		node[NODE_CHILDREN + outside] = leaf(EMPTY);
		node[NODE_CHILDREN + 1 - outside] = face + 1 < FACES ? NODE_WORDS * (face + 1) : leaf(SOLID);
		planes[PLANE_WORDS * face + axis] = 1;
	}
	return t;
}

int yardstick_contents(const struct tracer *t, const float point[3]) {
	return point_contents(t, t->head, point);
}

void yardstick_trace(struct tracer *t, const float start[3], const float end[3], struct answer *out) {
	t->answer = (struct answer){.fraction = 1, .all_solid = true};
	t->is_stopped = false;
	check(t, t->head, 0, 1, start, end);
	*out = t->answer;
	if (!t->is_stopped) memcpy(out->end, end, sizeof out->end);
}

void yardstick_free(struct tracer *t) {
	free(t);
}
