// The tutorials' algorithm with the engine's rules, as it is usually written in C: recursive, one test after the other.
// Only the benchmark uses it, to have something native to compare with.

#include "yardstick.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Words of the buffer, as layout.ts tells them.
enum {
	ROOT = 4,
	SECTIONS = 8,
	NODES = 0,
	BRUSHES = 3,
	SIDES = 4,
	PATCHES = 8,
	FACET_SIDES = 11,
	NODE_NORMAL = 1,
	NODE_DIST = 4,
	NODE_FRONT = 5,
	SHADERS = 5,
	SHADER_WORDS = 2,
	REF_WORDS = 8,
	BRUSH_WORDS = 4,
	SIDE_WORDS = 6,
	SIDE_SHADER = 5,
	PATCH_WORDS = 16,
	FACET_WORDS = 8,
	PLANE_WORDS = 4,
	MAX_PATCH_PLANES = 8192,
};

#define EPSILON 0.125
#define MASK_SOLID 1
#define OBLIQUE_OFFSET 2048
#define NEVER 99999
/** Leafs that a position test looks at, at most. */
#define MAX_LEAFS 1024

struct tracer {
	const int32_t *ints;
	const float *floats;
	const int32_t *brushes, *shaders;
	int32_t first_patch;
	/** The trace that a brush or patch was last met in. */
	uint32_t *brush_stamps, *patch_stamps;
	uint32_t stamp;
	/** Of brush sides' normals, and of facet sides' as they are stored: which components are negative. */
	int32_t first_side, first_facet_side;
	uint8_t *side_signs, *facet_side_signs;
	/** The shape around its middle. */
	float center[3], mins[3], maxs[3];
	/** The corner of the box that comes first to a plane, by the signs of its normal. */
	float corners[8][3];
	bool is_point, is_capsule;
	int mask;
	double epsilon;
	float radius, up[3];
	/** The move under way. */
	float start[3], end[3], low[3], high[3];
	struct answer answer;
	float plane_crossing[MAX_PATCH_PLANES];
	bool plane_front[MAX_PATCH_PLANES];
};

static float dot(const float a[3], const float b[3]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static int signs(const float normal[3]) {
	return (normal[0] < 0) | (normal[1] < 0) << 1 | (normal[2] < 0) << 2;
}

/** The signs of all sides of a section; facets' sides that face the other way than their plane are turned back. */
static uint8_t *all_signs(const struct tracer *t, int section, bool turn) {
	const int32_t first = t->ints[SECTIONS + 2 * section];
	const int32_t count = t->ints[SECTIONS + 2 * section + 1];
	uint8_t *all = calloc(count + 1, 1);
	for (int32_t k = 0; k < count; k++) {
		const float *side = t->floats + first + SIDE_WORDS * k;
		const bool inward = turn && t->ints[first + SIDE_WORDS * k + 4] < 0;
		const float stored[3] = {inward ? -side[0] : side[0], inward ? -side[1] : side[1], inward ? -side[2] : side[2]};
		all[k] = signs(stored);
	}
	return all;
}

static bool is_apart(const struct tracer *t, const float bounds[6], double epsilon) {
	for (int k = 0; k < 3; k++) {
		if (t->high[k] < -bounds[2 * k] - epsilon || t->low[k] > bounds[2 * k + 1] + epsilon) return true;
	}
	return false;
}

/** Distances of both ends from a plane that is widened by the shape. */
static void distances(
	const struct tracer *t, const float normal[3], float dist, float reach, float *from, float *to) {
	if (t->is_capsule) {
		float start[3], end[3];
		const float sign = dot(normal, t->up) > 0 ? -1 : 1;
		for (int k = 0; k < 3; k++) {
			start[k] = t->start[k] + sign * t->up[k];
			end[k] = t->end[k] + sign * t->up[k];
		}
		const float wide = dist + t->radius;
		*from = dot(start, normal) - wide;
		*to = dot(end, normal) - wide;
	} else {
		const float wide = dist + reach;
		*from = dot(t->start, normal) - wide;
		*to = dot(t->end, normal) - wide;
	}
}

/** Clips the interval at one plane; false where the move misses what lies behind it. */
static bool clip(double epsilon, float from, float to, float *enter, float *leave, bool *hit) {
	*hit = false;
	if (from > 0 && (to >= epsilon || to >= from)) return false;
	if (from <= 0 && to <= 0) return true;
	if (from > to) {
		float fraction = (from - epsilon) / (from - to);
		if (fraction < 0) fraction = 0;
		if (fraction > *enter) {
			*enter = fraction;
			*hit = true;
		}
	} else {
		float fraction = (from + epsilon) / (from - to);
		if (fraction > 1) fraction = 1;
		if (fraction < *leave) *leave = fraction;
	}
	return true;
}

static void check_brush(struct tracer *t, const int32_t *brush) {
	const int count = brush[1];
	if (count == 0) return;
	const uint8_t *side_signs = t->side_signs + (brush[0] - t->first_side) / SIDE_WORDS;
	float enter = -1, leave = 1;
	bool starts_out = false, ends_out = false;
	const float *entered = NULL;
	for (int k = 0; k < count; k++) {
		const float *side = t->floats + brush[0] + SIDE_WORDS * k;
		float from, to;
		bool hit;
		distances(t, side, side[3], t->is_capsule ? 0 : -dot(t->corners[side_signs[k]], side), &from, &to);
		if (from > 0) starts_out = true;
		if (to > 0) ends_out = true;
		if (!clip(t->epsilon, from, to, &enter, &leave, &hit)) return;
		if (hit) entered = side;
	}
	if (!starts_out) {
		t->answer.start_solid = true;
		if (!ends_out) {
			t->answer.all_solid = true;
			t->answer.fraction = 0;
			t->answer.contents = brush[2];
		}
		return;
	}
	if (enter < leave && enter > -1 && enter < t->answer.fraction) {
		t->answer.fraction = enter < 0 ? 0 : enter;
		memcpy(t->answer.normal, entered, sizeof t->answer.normal);
		t->answer.surface_flags = t->shaders[SHADER_WORDS * ((const int32_t *)entered)[SIDE_SHADER]];
		t->answer.contents = brush[2];
	}
}

/** Whether the shape, where it starts, is in a brush: the bounds stand for its first six sides. */
static void touch_brush(struct tracer *t, const int32_t *brush) {
	if (brush[1] == 0) return;
	const uint8_t *side_signs = t->side_signs + (brush[0] - t->first_side) / SIDE_WORDS;
	for (int k = 6; k < brush[1]; k++) {
		const float *side = t->floats + brush[0] + SIDE_WORDS * k;
		float from, to;
		distances(t, side, side[3], t->is_capsule ? 0 : -dot(t->corners[side_signs[k]], side), &from, &to);
		if (from > 0) return;
	}
	t->answer.start_solid = t->answer.all_solid = true;
	t->answer.fraction = 0;
	t->answer.contents = brush[2];
}

static void check_patch_point(struct tracer *t, const int32_t *patch) {
	const float *planes = t->floats + patch[8];
	for (int k = 0; k < patch[9]; k++) {
		const float *plane = planes + PLANE_WORDS * k;
		const float from = dot(t->start, plane) - plane[3];
		const float to = dot(t->end, plane) - plane[3];
		t->plane_front[k] = !(from <= 0);
		const float crossing = from == to ? NEVER : from / (from - to);
		t->plane_crossing[k] = crossing <= 0 ? NEVER : crossing;
	}
	for (int f = 0; f < patch[11]; f++) {
		const int32_t *facet = t->ints + patch[10] + FACET_WORDS * f;
		const int32_t *sides = t->ints + facet[0];
		const int surface = sides[4];
		if (!t->plane_front[surface]) continue;
		const float crossing = t->plane_crossing[surface];
		if (crossing > t->answer.fraction) continue;
		int k = 1;
		for (; k < facet[1]; k++) {
			const int named = sides[SIDE_WORDS * k + 4];
			const bool inward = named < 0;
			const int plane = inward ? -1 - named : named;
			if (t->plane_front[plane] != inward ? t->plane_crossing[plane] > crossing
			                                    : t->plane_crossing[plane] < crossing)
				break;
		}
		if (k < facet[1]) continue;
		const float *plane = planes + PLANE_WORDS * surface;
		const float from = dot(t->start, plane) - plane[3];
		const float to = dot(t->end, plane) - plane[3];
		const float fraction = (from - t->epsilon) / (from - to);
		t->answer.fraction = fraction < 0 ? 0 : fraction;
		memcpy(t->answer.normal, plane, sizeof t->answer.normal);
	}
}

/** Distances of both ends from a facet's side. */
static void facet_distances(const struct tracer *t, const int32_t *facet, int k, float *from, float *to) {
	const float *side = t->floats + facet[0] + SIDE_WORDS * k;
	float reach = 0;
	if (!t->is_capsule) {
		// On borders the corner is picked by the plane as stored, and its distance counts without its sign.
		const uint8_t sign = t->facet_side_signs[(facet[0] - t->first_facet_side) / SIDE_WORDS + k];
		const float corner = dot(t->corners[sign], side);
		reach = k == 0 ? -corner : fabsf(corner);
	}
	distances(t, side, side[3], reach, from, to);
}

static void check_patch(struct tracer *t, const int32_t *patch) {
	for (int f = 0; f < patch[11]; f++) {
		const int32_t *facet = t->ints + patch[10] + FACET_WORDS * f;
		const int count = facet[1];
		float enter = -1, leave = 1;
		int hit = -1, k = 0;
		for (; k < count; k++) {
			float from, to;
			bool is_hit;
			facet_distances(t, facet, k, &from, &to);
			if (!clip(t->epsilon, from, to, &enter, &leave, &is_hit)) break;
			if (is_hit) hit = k;
		}
		if (k < count || hit == count - 1) continue;
		if (enter < leave && enter >= 0 && enter < t->answer.fraction) {
			t->answer.fraction = enter;
			memcpy(t->answer.normal, t->floats + facet[0] + SIDE_WORDS * hit, sizeof t->answer.normal);
		}
	}
}

/** Whether the shape, where it starts, lies across a facet of a patch. */
static void touch_patch(struct tracer *t, const int32_t *patch) {
	for (int f = 0; f < patch[11]; f++) {
		const int32_t *facet = t->ints + patch[10] + FACET_WORDS * f;
		int k = 0;
		for (; k < facet[1]; k++) {
			float from, to;
			facet_distances(t, facet, k, &from, &to);
			if (from > 0) break;
		}
		if (k < facet[1]) continue;
		t->answer.start_solid = t->answer.all_solid = true;
		t->answer.fraction = 0;
		return;
	}
}

static void check_leaf(struct tracer *t, const int32_t *leaf, bool still) {
	for (int k = 0; k < leaf[1]; k++) {
		const int32_t *ref = t->ints + leaf[0] + REF_WORDS * k;
		const int brush = ref[7];
		if (t->brush_stamps[brush] == t->stamp) continue;
		t->brush_stamps[brush] = t->stamp;
		if (!(ref[6] & t->mask) || is_apart(t, (const float *)ref, still ? 0 : t->epsilon)) continue;
		if (still) touch_brush(t, t->brushes + BRUSH_WORDS * brush);
		else check_brush(t, t->brushes + BRUSH_WORDS * brush);
		if (t->answer.fraction == 0) return;
	}
	for (int k = 0; k < leaf[3]; k++) {
		const int32_t place = t->ints[leaf[2] + k];
		const int32_t *patch = t->ints + place;
		const int number = (place - t->first_patch) / PATCH_WORDS;
		if (t->patch_stamps[number] == t->stamp) continue;
		t->patch_stamps[number] = t->stamp;
		if (!(patch[6] & t->mask)) continue;
		const float before = t->answer.fraction;
		if (still) touch_patch(t, patch);
		else if (is_apart(t, (const float *)patch, t->epsilon)) continue;
		else if (t->is_point) check_patch_point(t, patch);
		else check_patch(t, patch);
		if (t->answer.fraction < before) {
			if (!still) t->answer.surface_flags = patch[7];
			t->answer.contents = patch[6];
		}
		if (t->answer.fraction == 0) return;
	}
}

static void check_node(
	struct tracer *t, int32_t place, float from, float to, const float start[3], const float end[3]) {
	if (t->answer.fraction <= from) return;
	if (place < 0) {
		check_leaf(t, t->ints - place, false);
		return;
	}
	const int32_t *node = t->ints + place;
	const float *normal = t->floats + place + NODE_NORMAL;
	const float dist = t->floats[place + NODE_DIST];
	const int axis = node[0];
	float d1, d2, offset;
	if (axis < 3) {
		d1 = start[axis] - dist;
		d2 = end[axis] - dist;
		offset = t->maxs[axis];
	} else {
		d1 = dot(normal, start) - dist;
		d2 = dot(normal, end) - dist;
		offset = t->is_point ? 0 : OBLIQUE_OFFSET;
	}
	if (d1 >= offset + 1 && d2 >= offset + 1) {
		check_node(t, node[NODE_FRONT], from, to, start, end);
		return;
	}
	if (d1 < -offset - 1 && d2 < -offset - 1) {
		check_node(t, node[NODE_FRONT + 1], from, to, start, end);
		return;
	}
	int side = 0;
	float near = 1, far = 0;
	if (d1 < d2) {
		const float inverse = 1 / (d1 - d2);
		side = 1;
		far = (d1 + offset + t->epsilon) * inverse;
		near = (d1 - offset + t->epsilon) * inverse;
	} else if (d1 > d2) {
		const float inverse = 1 / (d1 - d2);
		far = (d1 - offset - t->epsilon) * inverse;
		near = (d1 + offset + t->epsilon) * inverse;
	}
	if (near < 0) near = 0;
	if (near > 1) near = 1;
	if (far < 0) far = 0;
	if (far > 1) far = 1;
	float mid[3];
	for (int k = 0; k < 3; k++) mid[k] = start[k] + near * (end[k] - start[k]);
	check_node(t, node[NODE_FRONT + side], from, from + (to - from) * near, start, mid);
	for (int k = 0; k < 3; k++) mid[k] = start[k] + far * (end[k] - start[k]);
	check_node(t, node[NODE_FRONT + 1 - side], from + (to - from) * far, to, mid, end);
}

/** The side of a node's plane that a point is on. */
static bool is_behind(const struct tracer *t, int32_t place, const float point[3]) {
	const int axis = t->ints[place];
	const float dist = t->floats[place + NODE_DIST];
	return (axis < 3 ? point[axis] : dot(t->floats + place + NODE_NORMAL, point)) - dist < 0;
}

/** The sides of a node's plane that a box is on: 1 in front, 2 behind, 3 both. */
static int box_sides(const struct tracer *t, int32_t place, const float low[3], const float high[3]) {
	const int axis = t->ints[place];
	const float dist = t->floats[place + NODE_DIST];
	if (axis < 3) return dist <= low[axis] ? 1 : dist >= high[axis] ? 2 : 3;
	const float *normal = t->floats + place + NODE_NORMAL;
	float nearest[3], farthest[3];
	for (int k = 0; k < 3; k++) {
		nearest[k] = normal[k] < 0 ? high[k] : low[k];
		farthest[k] = normal[k] < 0 ? low[k] : high[k];
	}
	const int sides = (dot(normal, farthest) >= dist) | (dot(normal, nearest) < dist) << 1;
	return sides ? sides : 3;
}

/** Lists the leafs that a box touches. */
static int list_leafs(
	const struct tracer *t, int32_t place, const float low[3], const float high[3], int32_t *leafs, int count) {
	while (place >= 0) {
		const int32_t *children = t->ints + place + NODE_FRONT;
		const int sides = box_sides(t, place, low, high);
		if (sides == 3) count = list_leafs(t, children[0], low, high, leafs, count);
		place = children[sides == 1 ? 0 : 1];
	}
	if (count < MAX_LEAFS) leafs[count++] = -place;
	return count;
}

/** Tests the position where the move begins. */
static void test_position(struct tracer *t) {
	int32_t leafs[MAX_LEAFS];
	float low[3], high[3];
	for (int k = 0; k < 3; k++) {
		low[k] = t->start[k] + t->mins[k] - 1;
		high[k] = t->start[k] + t->maxs[k] + 1;
	}
	const int count = list_leafs(t, t->ints[ROOT], low, high, leafs, 0);
	for (int k = 0; k < count && t->answer.fraction != 0; k++) check_leaf(t, t->ints + leafs[k], true);
}

static void resize(struct tracer *t, const float mins[3], const float maxs[3]) {
	for (int k = 0; k < 3; k++) {
		t->center[k] = (mins[k] + maxs[k]) * 0.5f;
		t->mins[k] = mins[k] - t->center[k];
		t->maxs[k] = maxs[k] - t->center[k];
	}
	for (int corner = 0; corner < 8; corner++) {
		for (int k = 0; k < 3; k++) t->corners[corner][k] = corner >> k & 1 ? t->maxs[k] : t->mins[k];
	}
}

struct tracer *yardstick_create(const void *data, const struct shape *shape) {
	const bool is_capsule = strcmp(shape->kind, "capsule") == 0;
	const bool is_ray = strcmp(shape->kind, "ray") == 0;
	if (!is_ray && !is_capsule && strcmp(shape->kind, "box") != 0) return NULL;
	struct tracer *t = calloc(1, sizeof *t);
	t->ints = data;
	t->floats = data;
	t->brushes = t->ints + t->ints[SECTIONS + 2 * BRUSHES];
	t->shaders = t->ints + t->ints[SECTIONS + 2 * SHADERS];
	t->mask = MASK_SOLID;
	t->first_patch = t->ints[SECTIONS + 2 * PATCHES];
	t->brush_stamps = calloc(t->ints[SECTIONS + 2 * BRUSHES + 1] + 1, sizeof(uint32_t));
	t->patch_stamps = calloc(t->ints[SECTIONS + 2 * PATCHES + 1] + 1, sizeof(uint32_t));
	t->first_side = t->ints[SECTIONS + 2 * SIDES];
	t->first_facet_side = t->ints[SECTIONS + 2 * FACET_SIDES];
	t->side_signs = all_signs(t, SIDES, false);
	t->facet_side_signs = all_signs(t, FACET_SIDES, true);
	for (int32_t k = 0; k < t->ints[SECTIONS + 2 * PATCHES + 1]; k++) {
		if (t->ints[t->first_patch + PATCH_WORDS * k + 9] <= MAX_PATCH_PLANES) continue;
		yardstick_free(t);
		return NULL;
	}
	resize(t, shape->mins, shape->maxs);
	t->epsilon = shape->keeps_distance ? EPSILON : 0;
	t->is_point = is_ray;
	t->is_capsule = is_capsule;
	t->radius = t->maxs[0] > t->maxs[2] ? t->maxs[2] : t->maxs[0];
	t->up[2] = t->maxs[2] - t->radius;
	return t;
}

void yardstick_set(struct tracer *t, const float mins[3], const float maxs[3], int mask) {
	resize(t, mins, maxs);
	t->mask = mask;
}

int yardstick_contents(const struct tracer *t, const float point[3]) {
	int32_t place = t->ints[ROOT];
	while (place >= 0) place = t->ints[place + NODE_FRONT + is_behind(t, place, point)];
	const int32_t *leaf = t->ints - place;
	int contents = 0;
	for (int k = 0; k < leaf[1]; k++) {
		const int32_t *ref = t->ints + leaf[0] + REF_WORDS * k;
		const float *bounds = (const float *)ref;
		bool is_out = false;
		for (int axis = 0; axis < 3; axis++) {
			is_out |= -point[axis] - EPSILON > bounds[2 * axis] || point[axis] - EPSILON > bounds[2 * axis + 1];
		}
		if (is_out) continue;
		const int32_t *brush = t->brushes + BRUSH_WORDS * ref[7];
		int side = 0;
		for (; side < brush[1]; side++) {
			const float *plane = t->floats + brush[0] + SIDE_WORDS * side;
			if (dot(point, plane) > plane[3]) break;
		}
		if (side == brush[1]) contents |= ref[6];
	}
	return contents;
}

void yardstick_trace(struct tracer *t, const float start[3], const float end[3], struct answer *out) {
	t->stamp++;
	t->answer = (struct answer){.fraction = 1};
	bool still = true;
	for (int k = 0; k < 3; k++) {
		t->start[k] = start[k] + t->center[k];
		t->end[k] = end[k] + t->center[k];
		const float least = t->start[k] < t->end[k] ? t->start[k] : t->end[k];
		const float most = t->start[k] < t->end[k] ? t->end[k] : t->start[k];
		t->low[k] = t->is_capsule ? least - fabsf(t->up[k]) - t->radius : least + t->mins[k];
		t->high[k] = t->is_capsule ? most + fabsf(t->up[k]) + t->radius : most + t->maxs[k];
		if (start[k] != end[k]) still = false;
	}
	if (still) test_position(t);
	else check_node(t, t->ints[ROOT], 0, 1, t->start, t->end);
	*out = t->answer;
	for (int k = 0; k < 3; k++) {
		out->end[k] = out->fraction == 1 ? end[k] : start[k] + out->fraction * (end[k] - start[k]);
	}
}

void yardstick_free(struct tracer *t) {
	free(t->brush_stamps);
	free(t->patch_stamps);
	free(t->side_signs);
	free(t->facet_side_signs);
	free(t);
}
