// The engine's recursive hull check as it is usually written in C, over nodes that name their planes by number. Only the
// benchmark uses it, to have something native to compare with.

#include "yardstick.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Words of the buffer, as in layout.ts.
enum {
	SECTIONS = 10,
	PLANES = 0,
	NODES = 1,
	CLIP_NODES = 2,
	PLANE_WORDS = 5,
	MODELS = 4,
	MODEL_WORDS = 16,
	MODEL_HEADS = 9,
	NODE_CHILDREN = 2,
	NODE_WORDS = 4,
	/** With a normal, unless it is across an axis. */
	LONG_NODE_WORDS = 8,
	OBLIQUE = 3,
	PLANE_SHIFT = 3,
	KIND_MASK = 7,
	CONTENTS_MASK = 63,
	EMPTY = -1,
	SOLID = -2,
	/** Sides of a box entity. */
	FACES = 6,
};

#define EPSILON 0.03125
#define BACK_OFF 0.1

struct plane {
	float normal[3], dist;
	/** 0 to 2: across an axis; 3: oblique. */
	int32_t axis;
};

struct node {
	int32_t plane;
	/** Below 0: contents. */
	int32_t children[2];
};

/** A tree, shared by the tracers through the models in it. */
struct hull {
	/** For the world, the buffer. */
	const int32_t *ints;
	int users, number;
	struct plane *planes;
	struct node *nodes;
};

struct tracer {
	struct hull *hull;
	int32_t head;
	/** The current move. */
	bool is_stopped;
	struct answer answer;
};

static float distance(const struct plane *plane, const float point[3]) {
	if (plane->axis != OBLIQUE) return point[plane->axis] - plane->dist;
	const float *normal = plane->normal;
	return normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2] - plane->dist;
}

static int point_contents(const struct tracer *t, int32_t number, const float point[3]) {
	const struct hull *hull = t->hull;
	while (number >= 0) {
		const struct node *node = hull->nodes + number;
		number = node->children[distance(hull->planes + node->plane, point) < 0];
	}
	return number;
}

/** Whether the move may go on behind this piece. */
static bool check(struct tracer *t, int32_t number, float from, float to, const float start[3], const float end[3]) {
	if (number < 0) {
		if (number == SOLID) t->answer.start_solid = true;
		else t->answer.all_solid = false;
		return true;
	}
	const struct node *node = t->hull->nodes + number;
	const struct plane *plane = t->hull->planes + node->plane;
	const float d1 = distance(plane, start);
	const float d2 = distance(plane, end);
	const int32_t *children = node->children;
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
	for (int k = 0; k < 3; k++) t->answer.normal[k] = side ? 0 - plane->normal[k] : plane->normal[k];
	t->answer.contents = SOLID;
	return false;
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

// From the buffer to these records.

/** A section of the buffer. */
struct section {
	int32_t first, count;
};

static struct section section(const int32_t *ints, int number) {
	return (struct section){ints[SECTIONS + 2 * number], ints[SECTIONS + 2 * number + 1]};
}

/** How many words a node has. */
static int words_of(int32_t node) {
	return (node & KIND_MASK) == OBLIQUE ? LONG_NODE_WORDS : NODE_WORDS;
}

static int32_t read_child(int32_t child, const int32_t *numbers, int32_t first) {
	return child < 0 ? -(~child & CONTENTS_MASK) : numbers[child - first];
}

/** Reads the tree of hull 0, or that of the other hulls. */
static struct hull *read_hull(const int32_t *ints, int number) {
	const struct section planes = section(ints, PLANES), tree = section(ints, number == 0 ? NODES : CLIP_NODES);
	struct hull *hull = calloc(1, sizeof *hull);
	*hull = (struct hull){.ints = ints, .users = 1, .number = number};
	hull->planes = calloc(planes.count + 1, sizeof *hull->planes);
	hull->nodes = calloc(tree.count / NODE_WORDS + 1, sizeof *hull->nodes);
	for (int32_t k = 0; k < planes.count; k++) {
		memcpy(hull->planes + k, ints + planes.first + PLANE_WORDS * k, sizeof *hull->planes);
		hull->planes[k].axis = OBLIQUE;
	}
	int32_t *numbers = calloc(tree.count + 1, sizeof *numbers);
	int32_t count = 0;
	for (int32_t at = 0; at < tree.count; at += words_of(ints[tree.first + at])) numbers[at] = count++;
	for (int32_t at = 0, k = 0; at < tree.count; at += words_of(ints[tree.first + at]), k++) {
		const int32_t *from = ints + tree.first + at;
		struct node *node = hull->nodes + k;
		node->plane = from[0] >> PLANE_SHIFT;
		// Kinds 4 to 6 are traced as if across x, y or z.
		hull->planes[node->plane].axis = from[0] & KIND_MASK & 3;
		for (int side = 0; side < 2; side++) {
			node->children[side] = read_child(from[NODE_CHILDREN + side], numbers, tree.first);
		}
	}
	free(numbers);
	return hull;
}

static void choose_model(struct tracer *t, int model) {
	const int32_t *ints = t->hull->ints;
	const int32_t head = ints[section(ints, MODELS).first + MODEL_WORDS * model + MODEL_HEADS + t->hull->number];
	if (head < 0) {
		t->head = -(~head & CONTENTS_MASK);
		return;
	}
	// Its number is the count of nodes before it.
	const struct section tree = section(ints, t->hull->number == 0 ? NODES : CLIP_NODES);
	t->head = 0;
	for (int32_t at = tree.first; at < head; at += words_of(ints[at])) t->head++;
}

struct tracer *yardstick_create(const void *data, const struct shape *shape) {
	if (strcmp(shape->kind, "hull") != 0) return NULL;
	struct tracer *t = calloc(1, sizeof *t);
	t->hull = read_hull(data, shape->number);
	choose_model(t, 0);
	return t;
}

struct tracer *yardstick_create_model(const struct tracer *tracer, int model) {
	struct tracer *t = malloc(sizeof *t);
	*t = *tracer;
	t->hull->users++;
	choose_model(t, model);
	return t;
}

struct tracer *yardstick_create_box(const float mins[3], const float maxs[3]) {
	struct tracer *t = calloc(1, sizeof *t);
	t->hull = calloc(1, sizeof *t->hull);
	t->hull->users = 1;
	t->hull->planes = calloc(FACES, sizeof *t->hull->planes);
	t->hull->nodes = calloc(FACES, sizeof *t->hull->nodes);
	// Greatest x, least x, greatest y and so on, all facing along their axis, with the box behind them.
	for (int face = 0; face < FACES; face++) {
		const int axis = face >> 1, outside = face & 1;
		struct plane *plane = t->hull->planes + face;
		struct node *node = t->hull->nodes + face;
		plane->axis = axis;
		plane->normal[axis] = 1;
		plane->dist = outside ? mins[axis] : maxs[axis];
		node->plane = face;
		node->children[outside] = EMPTY;
		node->children[1 - outside] = face + 1 < FACES ? face + 1 : SOLID;
	}
	return t;
}

void yardstick_free(struct tracer *t) {
	if (--t->hull->users == 0) {
		free(t->hull->planes);
		free(t->hull->nodes);
		free(t->hull);
	}
	free(t);
}
