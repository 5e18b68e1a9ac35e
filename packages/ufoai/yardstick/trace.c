// The engine's lines and boxes as they are usually written in C: every selected tree is walked in full, one after the
// other. The buffer is read as it is: its records are as short as the engine's, or shorter. Only the benchmark uses it, to
// have something native to compare with.

#include "yardstick.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Words of the buffer, as layout.ts tells them.
enum {
	SECTIONS = 8,
	TILES = 0,
	LINE_HEADS = 1,
	BOX_HEADS = 2,
	NODES = 6,
	PLANES = 7,
	LEAFS = 8,
	BRUSHES = 10,
	TILE_WORDS = 34,
	TILE_MINS = 6,
	TILE_MAXS = 9,
	TILE_LINE_HEADS = 18,
	TILE_BOX_HEADS = 20,
	LINE_HEAD_WORDS = 13,
	LINE_HEAD_ROOT = 11,
	BOX_HEAD_WORDS = 9,
	NODE_WORDS = 4,
	PLANE_WORDS = 4,
	LEAF_WORDS = 3,
	SIDE_WORDS = 6,
	BRUSH_NUMBER = 9,
	UNION = 6,
};

/** What stops lines, and what lets them pass all the same. */
enum { BLOCKING = 0x1 | 0x10000 | 0x80000 | 0x2000000, PASSABLE = 0x20000 };

/** Defaults of boxes: all levels and the clip for units, whatever a unit cannot enter. */
enum { BOX_LEVELS = 0x1ff, MASK = 0x1 | 0x2 | 0x10000 };

#define EPSILON 0.03125
#define NOTHING 2

struct tracer {
	const int32_t *ints;
	const float *floats;
	const int32_t *tiles, *line_heads, *box_heads, *nodes, *leafs;
	int tile_count;
	bool is_line, is_point;
	float center[3], mins[3], maxs[3], given_mins[3], given_maxs[3];
	float corners[8][3];
	uint32_t *stamps;
	uint32_t stamp;
	/** The move under way, of the box's middle. */
	float start[3], end[3];
	float fraction;
	bool start_solid, all_solid;
};

struct hit {
	bool found;
	float at[3];
};

static float dot(const float a[3], const float b[3]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static float length(const float a[3], const float b[3]) {
	const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
	return sqrtf(x * x + y * y + z * z);
}

static void between(const float a[3], const float b[3], float t, float out[3]) {
	for (int k = 0; k < 3; k++) out[k] = a[k] + t * (b[k] - a[k]);
}

static const float *plane_of(const struct tracer *t, const int32_t *node) {
	return t->floats + t->ints[SECTIONS + 2 * PLANES] + PLANE_WORDS * ((uint32_t)node[0] >> 4);
}

/** The first place on a piece of the line where something below a child blocks. */
static void walk_line(
	const struct tracer *t, int32_t child, const float start[3], const float end[3], struct hit *hit) {
	if (child < 0) {
		const int32_t contents = t->leafs[LEAF_WORDS * (-1 - child)];
		hit->found = (contents & BLOCKING) && !(contents & PASSABLE);
		if (hit->found) memcpy(hit->at, start, sizeof hit->at);
		return;
	}
	const int32_t *node = t->nodes + NODE_WORDS * child;
	int kind = node[0] & 15;
	float dist;
	memcpy(&dist, node + 1, sizeof dist);
	int32_t front = node[2], back = node[3];
	if (kind == UNION) {
		struct hit second;
		walk_line(t, front, start, end, hit);
		walk_line(t, back, start, end, &second);
		if (second.found && !(hit->found && length(start, hit->at) < length(start, second.at))) *hit = second;
		return;
	}
	if (kind > 3) {
		// The second child of a union that splits lies in front.
		kind -= 4;
		front = node[3];
		back = node[2];
	}
	float d1, d2;
	if (kind < 3) {
		d1 = start[kind] - dist;
		d2 = end[kind] - dist;
	} else {
		const float *normal = plane_of(t, node);
		d1 = dot(start, normal) - dist;
		d2 = dot(end, normal) - dist;
	}
	if (d1 >= -0.1 && d2 >= -0.1) {
		walk_line(t, front, start, end, hit);
		return;
	}
	if (d1 < 0.1 && d2 < 0.1) {
		walk_line(t, back, start, end, hit);
		return;
	}
	float middle[3];
	between(start, end, d1 / (d1 - d2), middle);
	const bool behind = d1 < 0;
	walk_line(t, behind ? back : front, start, middle, hit);
	if (!hit->found) walk_line(t, behind ? front : back, middle, end, hit);
}

static bool differ(const float a[3], const float b[3]) {
	for (int k = 0; k < 3; k++) {
		if (fabsf(a[k] - b[k]) > 0.001f) return true;
	}
	return false;
}

static void trace_line(struct tracer *t, const float start[3], const float end[3], struct answer *out) {
	struct hit best = {0};
	for (int tile = 0; tile < t->tile_count; tile++) {
		const int32_t *record = t->tiles + TILE_WORDS * tile;
		struct hit nearest = {0};
		for (int k = 0; k < record[TILE_LINE_HEADS + 1]; k++) {
			const int32_t *head = t->line_heads + LINE_HEAD_WORDS * (record[TILE_LINE_HEADS] + k);
			// Levels, and none of the clips.
			if (head[0] > 255 || head[LINE_HEAD_ROOT] < 0) continue;
			struct hit hit;
			walk_line(t, head[LINE_HEAD_ROOT], start, end, &hit);
			if (hit.found && length(start, hit.at) < length(start, nearest.found ? nearest.at : end)) nearest = hit;
		}
		if (!nearest.found || !differ(nearest.at, end)) continue;
		if (length(start, nearest.at) < length(start, best.found ? best.at : end)) best = nearest;
	}
	memcpy(out->end, best.found ? best.at : end, sizeof out->end);
	out->fraction = 1;
	out->all_solid = false;
	out->start_solid = best.found && memcmp(best.at, start, sizeof best.at) == 0;
	if (!best.found) return;
	double whole = 0, part = 0;
	for (int k = 0; k < 3; k++) {
		whole += ((double)end[k] - start[k]) * ((double)end[k] - start[k]);
		part += ((double)best.at[k] - start[k]) * ((double)best.at[k] - start[k]);
	}
	const float fraction = whole > 0 ? sqrt(part / whole) : 0;
	out->fraction = fraction < 1 ? fraction : 1 - 0x1p-24f;
}

static bool passes(int32_t contents) {
	return (contents & MASK) && !(contents & PASSABLE);
}

static void check_brush(struct tracer *t, const int32_t *brush) {
	float enter = -1, leave = 1;
	bool starts_out = false, ends_out = false;
	const int count = brush[2];
	if (count == 0) return;
	for (int k = 0; k < count; k++) {
		const float *side = t->floats + brush[1] + SIDE_WORDS * k;
		float dist = side[3];
		if (!t->is_point) {
			const int signs = (side[0] < 0) | (side[1] < 0) << 1 | (side[2] < 0) << 2;
			dist -= dot(t->corners[signs], side);
		}
		const float from = dot(t->start, side) - dist;
		const float to = dot(t->end, side) - dist;
		if (from > 0) starts_out = true;
		if (to > 0) ends_out = true;
		if (from > 0 && to >= from) return;
		if (from <= 0 && to <= 0) continue;
		if (from > to) {
			const float fraction = (from - EPSILON) / (from - to);
			if (fraction > enter) enter = fraction;
		} else {
			const float fraction = (from + EPSILON) / (from - to);
			if (fraction < leave) leave = fraction;
		}
	}
	if (!starts_out) {
		t->start_solid = true;
		if (!ends_out) t->all_solid = true;
	} else if (enter < leave && enter > -1 && enter < t->fraction) t->fraction = enter < 0 ? 0 : enter;
}

static void check_leaf(struct tracer *t, const int32_t *leaf) {
	if (!passes(leaf[0])) return;
	for (int k = 0; k < leaf[2]; k++) {
		const int32_t *brush = t->ints + t->ints[leaf[1] + k];
		if (t->stamps[brush[BRUSH_NUMBER]] == t->stamp) continue;
		t->stamps[brush[BRUSH_NUMBER]] = t->stamp;
		if (!passes(brush[0])) continue;
		check_brush(t, brush);
		if (t->fraction == 0) return;
	}
}

static void check_node(
	struct tracer *t, int32_t child, float from, float to, const float start[3], const float end[3]) {
	if (t->fraction <= from) return;
	if (child < 0) {
		check_leaf(t, t->leafs + LEAF_WORDS * (-1 - child));
		return;
	}
	const int32_t *node = t->nodes + NODE_WORDS * child;
	const int kind = node[0] & 15;
	float dist;
	memcpy(&dist, node + 1, sizeof dist);
	float d1, d2, offset;
	if (kind < 3) {
		d1 = start[kind] - dist;
		d2 = end[kind] - dist;
		offset = t->is_point ? 0 : t->maxs[kind];
	} else {
		static const float none[3];
		// Union nodes have no plane of their own: everything lies across them.
		const float *normal = kind > 3 ? none : plane_of(t, node);
		d1 = dot(normal, start) - dist;
		d2 = dot(normal, end) - dist;
		offset = t->is_point ? 0
		                     : fabsf(t->maxs[0] * normal[0]) + fabsf(t->maxs[1] * normal[1]) +
				fabsf(t->maxs[2] * normal[2]);
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

static bool is_away(const struct tracer *t, const int32_t *tile, const float start[3], const float end[3]) {
	const float *mins = (const float *)(tile + TILE_MINS), *maxs = (const float *)(tile + TILE_MAXS);
	for (int k = 0; k < 3; k++) {
		if (start[k] + t->given_maxs[k] < mins[k] && end[k] + t->given_maxs[k] < mins[k]) return true;
		if (start[k] + t->given_mins[k] > maxs[k] && end[k] + t->given_mins[k] > maxs[k]) return true;
	}
	return false;
}

static void trace_box(struct tracer *t, const float start[3], const float end[3], struct answer *out) {
	for (int k = 0; k < 3; k++) {
		t->start[k] = start[k] + t->center[k];
		t->end[k] = end[k] + t->center[k];
	}
	float best = NOTHING;
	bool start_solid = false, all_solid = false;
	for (int tile = 0; tile < t->tile_count && best > 0; tile++) {
		const int32_t *record = t->tiles + TILE_WORDS * tile;
		if (is_away(t, record, start, end)) continue;
		t->fraction = 1;
		t->start_solid = t->all_solid = false;
		for (int k = 0; k < record[TILE_BOX_HEADS + 1]; k++) {
			const int32_t *head = t->box_heads + BOX_HEAD_WORDS * (record[TILE_BOX_HEADS] + k);
			if (head[1] != 0 && head[1] <= 255 && !(head[1] & BOX_LEVELS)) continue;
			t->stamp++;
			check_node(t, head[0], 0, 1, t->start, t->end);
			if (t->fraction == 0) break;
		}
		if (t->start_solid) start_solid = true;
		if (t->all_solid) all_solid = true;
		if (t->fraction < best) best = t->fraction;
	}
	out->fraction = best == NOTHING ? 1 : best;
	out->start_solid = start_solid;
	out->all_solid = all_solid;
	if (best == NOTHING) {
		memcpy(out->end, end, sizeof out->end);
		return;
	}
	if (best < 1) between(t->start, t->end, best, out->end);
	else memcpy(out->end, t->end, sizeof out->end);
	for (int k = 0; k < 3; k++) out->end[k] -= t->center[k];
}

struct tracer *yardstick_create(const void *data, const struct shape *shape) {
	const bool is_line = strcmp(shape->kind, "line") == 0;
	const bool is_ray = strcmp(shape->kind, "ray") == 0;
	if (!is_line && !is_ray && strcmp(shape->kind, "box") != 0) return NULL;
	struct tracer *t = calloc(1, sizeof *t);
	t->ints = data;
	t->floats = data;
	t->tiles = t->ints + t->ints[SECTIONS + 2 * TILES];
	t->tile_count = t->ints[SECTIONS + 2 * TILES + 1];
	t->line_heads = t->ints + t->ints[SECTIONS + 2 * LINE_HEADS];
	t->box_heads = t->ints + t->ints[SECTIONS + 2 * BOX_HEADS];
	t->nodes = t->ints + t->ints[SECTIONS + 2 * NODES];
	t->leafs = t->ints + t->ints[SECTIONS + 2 * LEAFS];
	t->stamps = calloc(t->ints[SECTIONS + 2 * BRUSHES + 1] + 1, sizeof(uint32_t));
	t->is_line = is_line;
	t->is_point = true;
	for (int k = 0; k < 3; k++) {
		t->given_mins[k] = shape->mins[k];
		t->given_maxs[k] = shape->maxs[k];
		t->center[k] = (shape->mins[k] + shape->maxs[k]) * 0.5f;
		t->mins[k] = shape->mins[k] - t->center[k];
		t->maxs[k] = shape->maxs[k] - t->center[k];
		if (t->maxs[k] != 0) t->is_point = false;
	}
	for (int corner = 0; corner < 8; corner++) {
		for (int k = 0; k < 3; k++) t->corners[corner][k] = corner >> k & 1 ? t->maxs[k] : t->mins[k];
	}
	return t;
}

void yardstick_trace(struct tracer *t, const float start[3], const float end[3], struct answer *out) {
	if (t->is_line) trace_line(t, start, end, out);
	else trace_box(t, start, end, out);
}

void yardstick_free(struct tracer *t) {
	free(t->stamps);
	free(t);
}
