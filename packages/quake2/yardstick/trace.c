// The engine's boxes as they are usually written in C: recursive, one test after the other. Only the benchmark uses it,
// to have something native to compare with.

#include "yardstick.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Words of the buffer, as layout.ts tells them.
enum {
	SECTIONS = 6,
	NODES = 0,
	PLANES = 1,
	LEAFS = 2,
	BRUSHES = 5,
	TEXTURES = 7,
	MODELS = 8,
	NODE_WORDS = 4,
	PLANE_WORDS = 4,
	LEAF_WORDS = 3,
	SIDE_WORDS = 6,
	SIDE_TEXTURE = 5,
	BRUSH_NUMBER = 9,
	MODEL_WORDS = 7,
	MODEL_MAXS = 3,
	MODEL_HEAD = 6,
	OBLIQUE = 3,
};

/** What stops boxes by default: solid, and windows. */
enum { MASK = 0x1 | 0x2 };

#define EPSILON 0.03125f
/** Leafs that a position test looks at, at most. */
#define MAX_LEAFS 1024

struct tracer {
	const int32_t *ints;
	const float *floats;
	const int32_t *nodes, *leafs, *textures;
	const float *planes;
	/** The model that is traced against, and the root of its tree. */
	const float *model;
	int32_t head;
	float mins[3], maxs[3], extents[3];
	/** The corner of the box that comes first to a plane, by the signs of its normal. */
	float corners[8][3];
	bool is_point;
	int mask;
	/** The trace that a brush was last met in. */
	uint32_t *stamps;
	uint32_t stamp;
	/** The move under way, or where the box stands. */
	const float *start, *end;
	float low[3], high[3];
	int leafs_found;
	int found[MAX_LEAFS];
	struct answer answer;
};

static float dot(const float a[3], const float b[3]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void between(const float a[3], const float b[3], float t, float out[3]) {
	for (int k = 0; k < 3; k++) out[k] = a[k] + t * (b[k] - a[k]);
}

static const float *plane_of(const struct tracer *t, const int32_t *node) {
	return t->planes + PLANE_WORDS * ((uint32_t)node[0] >> 4);
}

static float dist_of(const int32_t *node) {
	float dist;
	memcpy(&dist, node + 1, sizeof dist);
	return dist;
}

/** How far the box has to stay from a side's plane. */
static float widened(const struct tracer *t, const float side[4]) {
	const int signs = (side[0] < 0) | (side[1] < 0) << 1 | (side[2] < 0) << 2;
	return side[3] - dot(t->corners[signs], side);
}

static void check_brush(struct tracer *t, const int32_t *brush) {
	float enter = -1, leave = 1;
	bool starts_out = false, ends_out = false;
	const int count = brush[2];
	if (count == 0) return;
	const float *entered = NULL;
	for (int k = 0; k < count; k++) {
		const float *side = t->floats + brush[1] + SIDE_WORDS * k;
		const float dist = t->is_point ? side[3] : widened(t, side);
		const float from = dot(t->start, side) - dist;
		const float to = dot(t->end, side) - dist;
		if (to > 0) ends_out = true;
		if (from > 0) starts_out = true;
		if (from > 0 && to >= from) return;
		if (from <= 0 && to <= 0) continue;
		if (from > to) {
			const float fraction = (from - EPSILON) / (from - to);
			if (fraction > enter) {
				enter = fraction;
				entered = side;
			}
		} else {
			const float fraction = (from + EPSILON) / (from - to);
			if (fraction < leave) leave = fraction;
		}
	}
	struct answer *out = &t->answer;
	if (!starts_out) {
		out->start_solid = true;
		if (!ends_out) out->all_solid = true;
	} else if (enter < leave && enter > -1 && enter < out->fraction) {
		out->fraction = enter < 0 ? 0 : enter;
		memcpy(out->normal, entered, sizeof out->normal);
		int32_t texture;
		memcpy(&texture, entered + SIDE_TEXTURE, sizeof texture);
		out->surface_flags = texture < 0 ? 0 : t->textures[texture];
		out->contents = brush[0];
	}
}

static void test_brush(struct tracer *t, const int32_t *brush) {
	const int count = brush[2];
	if (count == 0) return;
	for (int k = 0; k < count; k++) {
		const float *side = t->floats + brush[1] + SIDE_WORDS * k;
		if (dot(t->start, side) - widened(t, side) > 0) return;
	}
	t->answer.start_solid = t->answer.all_solid = true;
	t->answer.fraction = 0;
	t->answer.contents = brush[0];
}

/** Clips by the brushes of a leaf, or tests against them, those that this trace has not met yet. */
static void check_leaf(struct tracer *t, int leaf, void (*check)(struct tracer *, const int32_t *)) {
	const int32_t *record = t->leafs + LEAF_WORDS * leaf;
	if (!(record[0] & t->mask)) return;
	for (int k = 0; k < record[2]; k++) {
		const int32_t *brush = t->ints + t->ints[record[1] + k];
		uint32_t *stamp = &t->stamps[brush[BRUSH_NUMBER]];
		if (*stamp == t->stamp) continue;
		*stamp = t->stamp;
		if (!(brush[0] & t->mask)) continue;
		check(t, brush);
		if (t->answer.fraction == 0) return;
	}
}

static void check_node(
	struct tracer *t, int32_t child, float from, float to, const float start[3], const float end[3]) {
	if (t->answer.fraction <= from) return;
	if (child < 0) {
		check_leaf(t, -1 - child, check_brush);
		return;
	}
	const int32_t *node = t->nodes + NODE_WORDS * child;
	const int kind = node[0] & 15;
	const float dist = dist_of(node);
	float d1, d2, offset;
	if (kind < OBLIQUE) {
		d1 = start[kind] - dist;
		d2 = end[kind] - dist;
		offset = t->extents[kind];
	} else {
		const float *normal = plane_of(t, node);
		d1 = dot(normal, start) - dist;
		d2 = dot(normal, end) - dist;
		offset = t->is_point ? 0
		                     : fabsf(t->extents[0] * normal[0]) + fabsf(t->extents[1] * normal[1]) +
				fabsf(t->extents[2] * normal[2]);
	}
	if (d1 >= offset && d2 >= offset) {
		check_node(t, node[2], from, to, start, end);
		return;
	}
	if (d1 < -offset && d2 < -offset) {
		check_node(t, node[3], from, to, start, end);
		return;
	}
	int side = 0;
	float near = 1, far = 0;
	if (d1 < d2) {
		const float inverse = 1 / (d1 - d2);
		side = 1;
		far = (d1 + offset + EPSILON) * inverse;
		near = (d1 - offset + EPSILON) * inverse;
	} else if (d1 > d2) {
		const float inverse = 1 / (d1 - d2);
		far = (d1 - offset - EPSILON) * inverse;
		near = (d1 + offset + EPSILON) * inverse;
	}
	if (near < 0) near = 0;
	if (near > 1) near = 1;
	if (far < 0) far = 0;
	if (far > 1) far = 1;
	float mid[3];
	between(start, end, near, mid);
	check_node(t, node[2 + side], from, from + (to - from) * near, start, mid);
	between(start, end, far, mid);
	check_node(t, node[3 - side], from + (to - from) * far, to, mid, end);
}

/** Lists the leafs that a box reaches. */
static void find_leafs(struct tracer *t, int32_t child) {
	while (child >= 0) {
		const int32_t *node = t->nodes + NODE_WORDS * child;
		const int kind = node[0] & 15;
		const float dist = dist_of(node);
		bool front, back;
		if (kind < OBLIQUE) {
			front = dist <= t->low[kind];
			back = !front && dist >= t->high[kind];
			if (!front && !back) front = back = true;
		} else {
			const float *normal = plane_of(t, node);
			float first[3], last[3];
			for (int k = 0; k < 3; k++) {
				const bool falls = normal[k] < 0;
				first[k] = falls ? t->low[k] : t->high[k];
				last[k] = falls ? t->high[k] : t->low[k];
			}
			front = dot(normal, first) >= dist;
			back = dot(normal, last) < dist;
		}
		if (front != back) {
			child = node[front ? 2 : 3];
			continue;
		}
		find_leafs(t, node[2]);
		child = node[3];
	}
	if (t->leafs_found < MAX_LEAFS) t->found[t->leafs_found++] = -1 - child;
}

static void test_position(struct tracer *t) {
	for (int k = 0; k < 3; k++) {
		t->low[k] = t->start[k] + t->mins[k] - 1;
		t->high[k] = t->start[k] + t->maxs[k] + 1;
	}
	t->leafs_found = 0;
	find_leafs(t, t->head);
	for (int k = 0; k < t->leafs_found && !t->answer.all_solid; k++) check_leaf(t, t->found[k], test_brush);
	memcpy(t->answer.end, t->start, sizeof t->answer.end);
}

void yardstick_set(struct tracer *t, const float mins[3], const float maxs[3], int mask) {
	t->mask = mask;
	t->is_point = true;
	for (int k = 0; k < 3; k++) {
		t->mins[k] = mins[k];
		t->maxs[k] = maxs[k];
		t->extents[k] = -mins[k] > maxs[k] ? -mins[k] : maxs[k];
		if (mins[k] != 0 || maxs[k] != 0) t->is_point = false;
	}
	for (int corner = 0; corner < 8; corner++) {
		for (int k = 0; k < 3; k++) t->corners[corner][k] = corner >> k & 1 ? maxs[k] : mins[k];
	}
}

struct tracer *yardstick_create(const void *data, const struct shape *shape) {
	if (strcmp(shape->kind, "ray") != 0 && strcmp(shape->kind, "box") != 0) return NULL;
	struct tracer *t = calloc(1, sizeof *t);
	t->ints = data;
	t->floats = data;
	t->nodes = t->ints + t->ints[SECTIONS + 2 * NODES];
	t->planes = t->floats + t->ints[SECTIONS + 2 * PLANES];
	t->leafs = t->ints + t->ints[SECTIONS + 2 * LEAFS];
	t->textures = t->ints + t->ints[SECTIONS + 2 * TEXTURES];
	const int model = t->ints[SECTIONS + 2 * MODELS] + MODEL_WORDS * shape->model;
	t->model = t->floats + model;
	t->head = shape->model == 0 ? 0 : t->ints[model + MODEL_HEAD];
	t->stamps = calloc(t->ints[SECTIONS + 2 * BRUSHES + 1] + 1, sizeof(uint32_t));
	yardstick_set(t, shape->mins, shape->maxs, MASK);
	return t;
}

void yardstick_trace(struct tracer *t, const float start[3], const float end[3], struct answer *out) {
	t->start = start;
	t->end = end;
	t->stamp++;
	memset(&t->answer, 0, sizeof t->answer);
	t->answer.fraction = 1;
	if (start[0] == end[0] && start[1] == end[1] && start[2] == end[2]) test_position(t);
	else {
		check_node(t, t->head, 0, 1, start, end);
		if (t->answer.fraction == 1) memcpy(t->answer.end, end, sizeof t->answer.end);
		else between(start, end, t->answer.fraction, t->answer.end);
	}
	*out = t->answer;
}

int yardstick_contents(const struct tracer *t, const float point[3]) {
	int32_t child = t->head;
	while (child >= 0) {
		const int32_t *node = t->nodes + NODE_WORDS * child;
		const int kind = node[0] & 15;
		const float d = (kind < OBLIQUE ? point[kind] : dot(plane_of(t, node), point)) - dist_of(node);
		child = node[d < 0 ? 3 : 2];
	}
	return t->leafs[LEAF_WORDS * (-1 - child)];
}

void yardstick_bounds(const struct tracer *t, float mins[3], float maxs[3]) {
	memcpy(mins, t->model, 3 * sizeof *mins);
	memcpy(maxs, t->model + MODEL_MAXS, 3 * sizeof *maxs);
}

void yardstick_free(struct tracer *t) {
	free(t->stamps);
	free(t);
}
