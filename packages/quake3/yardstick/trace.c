// The tutorials' algorithm with the engine's rules, as it is usually written in C: recursive, one test after the other,
// over records that point to each other as the engine's do. What the engine works out for each trace is worked out for
// each. Only the benchmark uses it, to have something native to compare with.

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
	LEAFS = 1,
	REFS = 2,
	BRUSHES = 3,
	SIDES = 4,
	SHADERS = 5,
	PATCHES = 8,
	FACETS = 10,
	LEAF_SURFACES = 12,
	SURFACES = 13,
	NODE_WORDS = 16,
	NODE_NORMAL = 1,
	NODE_DIST = 4,
	NODE_FRONT = 5,
	LEAF_WORDS = 16,
	LEAF_FIRST_SURFACE = 6,
	SHADER_WORDS = 2,
	REF_WORDS = 8,
	REF_BRUSH = 7,
	BRUSH_WORDS = 4,
	SIDE_WORDS = 6,
	SIDE_PLANE = 4,
	SIDE_SHADER = 5,
	PATCH_WORDS = 16,
	PATCH_SURFACE = 12,
	FACET_WORDS = 8,
	PLANE_WORDS = 4,
	MAX_PATCH_PLANES = 8192,
	MAX_BORDERS = 26,
};

#define EPSILON 0.125
#define MASK_SOLID 1
#define OBLIQUE_OFFSET 2048
#define NEVER 99999
/** Leafs that a position test looks at, at most. */
#define MAX_LEAFS 1024

/** Kept once for all that lies on it. */
struct plane {
	float normal[3], dist;
	/** 0 to 2: across an axis; 3: not. */
	uint8_t axis;
	/** Which components of the normal are negative. */
	uint8_t signs;
};

struct node {
	const struct plane *plane;
	/** Below 0: a leaf, -1 - its number. */
	int32_t children[2];
};

/** Stretches of the lists of brushes and of surfaces. */
struct leaf {
	int32_t first_brush, brush_count, first_surface, surface_count;
};

struct side {
	const struct plane *plane;
	int32_t surface_flags;
};

struct brush {
	int32_t contents, side_count;
	const struct side *sides;
	/** As in the buffer: -mins x, maxs x, -mins y and so on. */
	float bounds[6];
	/** The trace that it was last met in. */
	uint32_t stamp;
};

/** A flat piece of a patch: the surface, and what bounds it, the back last. */
struct facet {
	int32_t surface, border_count;
	int32_t borders[MAX_BORDERS];
	/** Where the plane faces inward. */
	int32_t inward[MAX_BORDERS];
};

struct patch {
	int32_t contents, surface_flags;
	float bounds[6];
	int32_t plane_count, facet_count;
	const struct plane *planes;
	const struct facet *facets;
	uint32_t stamp;
};

struct tracer {
	struct plane *planes, *patch_planes;
	struct node *nodes;
	struct leaf *leafs;
	struct side *sides;
	struct brush *brushes;
	struct facet *facets;
	struct patch *patches;
	/** What leafs hold: brushes by number, and a patch or NULL for each surface. */
	int32_t *leaf_brushes;
	struct patch **leaf_patches;
	int32_t root;
	uint32_t stamp;
	/** What is moved. */
	float mins[3], maxs[3];
	bool is_capsule;
	int mask;
	double epsilon;
	/** The move under way: the shape around its middle, and the ends of the middle's way. */
	struct move {
		float center[3], mins[3], maxs[3], start[3], end[3], low[3], high[3];
		/** The corner of the box that comes first to a plane, by the signs of its normal. */
		float corners[8][3];
		float radius, up[3];
		bool is_point;
		struct answer answer;
	} move;
	float plane_crossing[MAX_PATCH_PLANES];
	bool plane_front[MAX_PATCH_PLANES];
};

static float dot(const float a[3], const float b[3]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static struct plane plane_of(const float normal[3], float dist) {
	struct plane plane = {.dist = dist, .axis = 3};
	memcpy(plane.normal, normal, sizeof plane.normal);
	for (int k = 0; k < 3; k++) {
		if (normal[k] == 1) plane.axis = k;
		if (normal[k] < 0) plane.signs |= 1 << k;
	}
	return plane;
}

static bool is_apart(const struct move *m, const float bounds[6], double epsilon) {
	for (int k = 0; k < 3; k++) {
		if (m->high[k] < -bounds[2 * k] - epsilon || m->low[k] > bounds[2 * k + 1] + epsilon) return true;
	}
	return false;
}

/** Distances of both ends from a plane that is widened by the shape. */
static void distances(
	const struct tracer *t, const float normal[3], float dist, float reach, float *from, float *to) {
	const struct move *m = &t->move;
	if (t->is_capsule) {
		float start[3], end[3];
		const float sign = dot(normal, m->up) > 0 ? -1 : 1;
		for (int k = 0; k < 3; k++) {
			start[k] = m->start[k] + sign * m->up[k];
			end[k] = m->end[k] + sign * m->up[k];
		}
		const float wide = dist + m->radius;
		*from = dot(start, normal) - wide;
		*to = dot(end, normal) - wide;
	} else {
		const float wide = dist + reach;
		*from = dot(m->start, normal) - wide;
		*to = dot(m->end, normal) - wide;
	}
}

/** Distances of both ends from a side of a brush. */
static void side_distances(const struct tracer *t, const struct plane *plane, float *from, float *to) {
	const float reach = t->is_capsule ? 0 : -dot(t->move.corners[plane->signs], plane->normal);
	distances(t, plane->normal, plane->dist, reach, from, to);
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

static void check_brush(struct tracer *t, const struct brush *brush) {
	if (brush->side_count == 0) return;
	struct answer *answer = &t->move.answer;
	float enter = -1, leave = 1;
	bool starts_out = false, ends_out = false;
	const struct side *entered = NULL;
	for (int k = 0; k < brush->side_count; k++) {
		const struct side *side = brush->sides + k;
		float from, to;
		bool hit;
		side_distances(t, side->plane, &from, &to);
		if (from > 0) starts_out = true;
		if (to > 0) ends_out = true;
		if (!clip(t->epsilon, from, to, &enter, &leave, &hit)) return;
		if (hit) entered = side;
	}
	if (!starts_out) {
		answer->start_solid = true;
		if (!ends_out) {
			answer->all_solid = true;
			answer->fraction = 0;
			answer->contents = brush->contents;
		}
		return;
	}
	if (enter < leave && enter > -1 && enter < answer->fraction) {
		answer->fraction = enter < 0 ? 0 : enter;
		memcpy(answer->normal, entered->plane->normal, sizeof answer->normal);
		answer->surface_flags = entered->surface_flags;
		answer->contents = brush->contents;
	}
}

static void stop_in(struct answer *answer) {
	answer->start_solid = answer->all_solid = true;
	answer->fraction = 0;
}

/** Whether the shape, where it starts, is in a brush: the bounds stand for its first six sides. */
static void touch_brush(struct tracer *t, const struct brush *brush) {
	if (brush->side_count == 0) return;
	for (int k = 6; k < brush->side_count; k++) {
		float from, to;
		side_distances(t, brush->sides[k].plane, &from, &to);
		if (from > 0) return;
	}
	stop_in(&t->move.answer);
	t->move.answer.contents = brush->contents;
}

static void check_patch_point(struct tracer *t, const struct patch *patch) {
	struct move *m = &t->move;
	for (int k = 0; k < patch->plane_count; k++) {
		const struct plane *plane = patch->planes + k;
		const float from = dot(m->start, plane->normal) - plane->dist;
		const float to = dot(m->end, plane->normal) - plane->dist;
		t->plane_front[k] = !(from <= 0);
		const float crossing = from == to ? NEVER : from / (from - to);
		t->plane_crossing[k] = crossing <= 0 ? NEVER : crossing;
	}
	for (int f = 0; f < patch->facet_count; f++) {
		const struct facet *facet = patch->facets + f;
		if (!t->plane_front[facet->surface]) continue;
		const float crossing = t->plane_crossing[facet->surface];
		if (crossing > m->answer.fraction) continue;
		int k = 0;
		for (; k < facet->border_count; k++) {
			const int plane = facet->borders[k];
			if (t->plane_front[plane] != facet->inward[k] ? t->plane_crossing[plane] > crossing
			                                              : t->plane_crossing[plane] < crossing)
				break;
		}
		if (k < facet->border_count) continue;
		const struct plane *plane = patch->planes + facet->surface;
		const float from = dot(m->start, plane->normal) - plane->dist;
		const float to = dot(m->end, plane->normal) - plane->dist;
		const float fraction = (from - t->epsilon) / (from - to);
		m->answer.fraction = fraction < 0 ? 0 : fraction;
		memcpy(m->answer.normal, plane->normal, sizeof plane->normal);
	}
}

/** Distances of both ends from a facet's surface, or for k above 0 from a border; writes the normal, facing outward. */
static void facet_distances(
	const struct tracer *t, const struct patch *patch, const struct facet *facet, int k, float normal[3], float *from,
	float *to) {
	const struct plane *plane = patch->planes + (k == 0 ? facet->surface : facet->borders[k - 1]);
	const bool turned = k > 0 && facet->inward[k - 1];
	for (int axis = 0; axis < 3; axis++) normal[axis] = turned ? -plane->normal[axis] : plane->normal[axis];
	float reach = 0;
	if (!t->is_capsule) {
		// On borders the corner is picked by the plane as stored, and its distance counts without its sign.
		const float corner = dot(t->move.corners[plane->signs], normal);
		reach = k == 0 ? -corner : fabsf(corner);
	}
	distances(t, normal, turned ? -plane->dist : plane->dist, reach, from, to);
}

static void check_patch(struct tracer *t, const struct patch *patch) {
	struct answer *answer = &t->move.answer;
	for (int f = 0; f < patch->facet_count; f++) {
		const struct facet *facet = patch->facets + f;
		float enter = -1, leave = 1, entered[3];
		int hit = -1, k = 0;
		for (; k <= facet->border_count; k++) {
			float normal[3], from, to;
			bool is_hit;
			facet_distances(t, patch, facet, k, normal, &from, &to);
			if (!clip(t->epsilon, from, to, &enter, &leave, &is_hit)) break;
			if (!is_hit) continue;
			hit = k;
			memcpy(entered, normal, sizeof entered);
		}
		if (k <= facet->border_count || hit == facet->border_count) continue;
		if (enter < leave && enter >= 0 && enter < answer->fraction) {
			answer->fraction = enter;
			memcpy(answer->normal, entered, sizeof entered);
		}
	}
}

/** Whether the shape, where it starts, lies across a facet of a patch. */
static void touch_patch(struct tracer *t, const struct patch *patch) {
	for (int f = 0; f < patch->facet_count; f++) {
		const struct facet *facet = patch->facets + f;
		int k = 0;
		for (; k <= facet->border_count; k++) {
			float normal[3], from, to;
			facet_distances(t, patch, facet, k, normal, &from, &to);
			if (from > 0) break;
		}
		if (k <= facet->border_count) continue;
		stop_in(&t->move.answer);
		return;
	}
}

static void check_leaf(struct tracer *t, const struct leaf *leaf, bool still) {
	struct answer *answer = &t->move.answer;
	for (int k = 0; k < leaf->brush_count; k++) {
		struct brush *brush = t->brushes + t->leaf_brushes[leaf->first_brush + k];
		if (brush->stamp == t->stamp) continue;
		brush->stamp = t->stamp;
		if (!(brush->contents & t->mask) || is_apart(&t->move, brush->bounds, still ? 0 : t->epsilon)) continue;
		if (still) touch_brush(t, brush);
		else check_brush(t, brush);
		if (answer->fraction == 0) return;
	}
	for (int k = 0; k < leaf->surface_count; k++) {
		struct patch *patch = t->leaf_patches[leaf->first_surface + k];
		if (!patch || patch->stamp == t->stamp) continue;
		patch->stamp = t->stamp;
		if (!(patch->contents & t->mask)) continue;
		const float before = answer->fraction;
		if (still) touch_patch(t, patch);
		else if (is_apart(&t->move, patch->bounds, t->epsilon)) continue;
		else if (t->move.is_point) check_patch_point(t, patch);
		else check_patch(t, patch);
		if (answer->fraction < before) {
			if (!still) answer->surface_flags = patch->surface_flags;
			answer->contents = patch->contents;
		}
		if (answer->fraction == 0) return;
	}
}

static void check_node(
	struct tracer *t, int32_t number, float from, float to, const float start[3], const float end[3]) {
	if (t->move.answer.fraction <= from) return;
	if (number < 0) {
		check_leaf(t, t->leafs + (-1 - number), false);
		return;
	}
	const struct node *node = t->nodes + number;
	const struct plane *plane = node->plane;
	float d1, d2, offset;
	if (plane->axis < 3) {
		d1 = start[plane->axis] - plane->dist;
		d2 = end[plane->axis] - plane->dist;
		offset = t->move.maxs[plane->axis];
	} else {
		d1 = dot(plane->normal, start) - plane->dist;
		d2 = dot(plane->normal, end) - plane->dist;
		offset = t->move.is_point ? 0 : OBLIQUE_OFFSET;
	}
	if (d1 >= offset + 1 && d2 >= offset + 1) {
		check_node(t, node->children[0], from, to, start, end);
		return;
	}
	if (d1 < -offset - 1 && d2 < -offset - 1) {
		check_node(t, node->children[1], from, to, start, end);
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
	check_node(t, node->children[side], from, from + (to - from) * near, start, mid);
	for (int k = 0; k < 3; k++) mid[k] = start[k] + far * (end[k] - start[k]);
	check_node(t, node->children[1 - side], from + (to - from) * far, to, mid, end);
}

/** The side of a plane that a point is on. */
static bool is_behind(const struct plane *plane, const float point[3]) {
	return (plane->axis < 3 ? point[plane->axis] : dot(plane->normal, point)) - plane->dist < 0;
}

/** The sides of a plane that a box is on: 1 in front, 2 behind, 3 both. */
static int box_sides(const struct plane *plane, const float low[3], const float high[3]) {
	const float dist = plane->dist;
	if (plane->axis < 3) return dist <= low[plane->axis] ? 1 : dist >= high[plane->axis] ? 2 : 3;
	float nearest[3], farthest[3];
	for (int k = 0; k < 3; k++) {
		nearest[k] = plane->normal[k] < 0 ? high[k] : low[k];
		farthest[k] = plane->normal[k] < 0 ? low[k] : high[k];
	}
	const int sides = (dot(plane->normal, farthest) >= dist) | (dot(plane->normal, nearest) < dist) << 1;
	return sides ? sides : 3;
}

/** Lists the leafs that a box touches. */
static int list_leafs(
	const struct tracer *t, int32_t number, const float low[3], const float high[3], int32_t *leafs, int count) {
	while (number >= 0) {
		const struct node *node = t->nodes + number;
		const int sides = box_sides(node->plane, low, high);
		if (sides == 3) count = list_leafs(t, node->children[0], low, high, leafs, count);
		number = node->children[sides == 1 ? 0 : 1];
	}
	if (count < MAX_LEAFS) leafs[count++] = -1 - number;
	return count;
}

/** Tests the position where the move begins. */
static void test_position(struct tracer *t) {
	int32_t leafs[MAX_LEAFS];
	float low[3], high[3];
	for (int k = 0; k < 3; k++) {
		low[k] = t->move.start[k] + t->move.mins[k] - 1;
		high[k] = t->move.start[k] + t->move.maxs[k] + 1;
	}
	const int count = list_leafs(t, t->root, low, high, leafs, 0);
	for (int k = 0; k < count && t->move.answer.fraction != 0; k++) check_leaf(t, t->leafs + leafs[k], true);
}

void yardstick_trace(struct tracer *t, const float start[3], const float end[3], struct answer *out) {
	t->stamp++;
	struct move *m = &t->move;
	memset(m, 0, sizeof *m);
	m->answer.fraction = 1;
	bool still = true;
	for (int k = 0; k < 3; k++) {
		m->center[k] = (t->mins[k] + t->maxs[k]) * 0.5f;
		m->mins[k] = t->mins[k] - m->center[k];
		m->maxs[k] = t->maxs[k] - m->center[k];
		m->start[k] = start[k] + m->center[k];
		m->end[k] = end[k] + m->center[k];
		if (start[k] != end[k]) still = false;
	}
	for (int corner = 0; corner < 8; corner++) {
		for (int k = 0; k < 3; k++) m->corners[corner][k] = corner >> k & 1 ? m->maxs[k] : m->mins[k];
	}
	m->radius = m->maxs[0] > m->maxs[2] ? m->maxs[2] : m->maxs[0];
	m->up[2] = m->maxs[2] - m->radius;
	m->is_point = m->maxs[0] == 0 && m->maxs[1] == 0 && m->maxs[2] == 0;
	for (int k = 0; k < 3; k++) {
		const float least = m->start[k] < m->end[k] ? m->start[k] : m->end[k];
		const float most = m->start[k] < m->end[k] ? m->end[k] : m->start[k];
		m->low[k] = t->is_capsule ? least - fabsf(m->up[k]) - m->radius : least + m->mins[k];
		m->high[k] = t->is_capsule ? most + fabsf(m->up[k]) + m->radius : most + m->maxs[k];
	}
	if (still) test_position(t);
	else check_node(t, t->root, 0, 1, m->start, m->end);
	*out = m->answer;
	for (int k = 0; k < 3; k++) {
		out->end[k] = out->fraction == 1 ? end[k] : start[k] + out->fraction * (end[k] - start[k]);
	}
}

int yardstick_contents(const struct tracer *t, const float point[3]) {
	int32_t number = t->root;
	while (number >= 0) {
		const struct node *node = t->nodes + number;
		number = node->children[is_behind(node->plane, point)];
	}
	const struct leaf *leaf = t->leafs + (-1 - number);
	int contents = 0;
	for (int k = 0; k < leaf->brush_count; k++) {
		const struct brush *brush = t->brushes + t->leaf_brushes[leaf->first_brush + k];
		bool is_out = false;
		for (int axis = 0; axis < 3; axis++) {
			is_out |= -point[axis] - EPSILON > brush->bounds[2 * axis] ||
			          point[axis] - EPSILON > brush->bounds[2 * axis + 1];
		}
		if (is_out) continue;
		int side = 0;
		for (; side < brush->side_count; side++) {
			const struct plane *plane = brush->sides[side].plane;
			if (dot(point, plane->normal) > plane->dist) break;
		}
		if (side == brush->side_count) contents |= brush->contents;
	}
	return contents;
}

void yardstick_set(struct tracer *t, const float mins[3], const float maxs[3], int mask) {
	memcpy(t->mins, mins, sizeof t->mins);
	memcpy(t->maxs, maxs, sizeof t->maxs);
	t->mask = mask;
}

// From the buffer to these records.

/** A section of the buffer. */
struct section {
	int32_t first, count;
};

static struct section section(const int32_t *ints, int number) {
	return (struct section){ints[SECTIONS + 2 * number], ints[SECTIONS + 2 * number + 1]};
}

/** Planes that are being gathered, found again by what they are. */
struct planes {
	struct plane *list;
	int32_t count, mask;
	int32_t *places;
};

static const struct plane *intern(struct planes *planes, const float *normal, float dist) {
	const struct plane plane = plane_of(normal, dist);
	uint32_t words[4], hash = 0;
	memcpy(words, &plane, sizeof words);
	for (int k = 0; k < 4; k++) hash = (hash ^ words[k]) * 0x9e3779b1u ^ hash >> 15;
	for (;; hash++) {
		int32_t *place = planes->places + (hash & planes->mask);
		if (!*place) {
			planes->list[planes->count] = plane;
			*place = ++planes->count;
		}
		struct plane *found = planes->list + *place - 1;
		if (!memcmp(found, &plane, sizeof words)) return found;
	}
}

static void read_tree(struct tracer *t, const int32_t *ints, struct planes *planes) {
	const float *floats = (const float *)ints;
	const struct section nodes = section(ints, NODES), leafs = section(ints, LEAFS), refs = section(ints, REFS);
	t->nodes = calloc(nodes.count + 1, sizeof *t->nodes);
	t->leafs = calloc(leafs.count + 1, sizeof *t->leafs);
	t->leaf_brushes = calloc(refs.count + 1, sizeof *t->leaf_brushes);
	for (int32_t k = 0; k < nodes.count; k++) {
		const int32_t at = nodes.first + NODE_WORDS * k;
		t->nodes[k].plane = intern(planes, floats + at + NODE_NORMAL, floats[at + NODE_DIST]);
		for (int side = 0; side < 2; side++) {
			const int32_t child = ints[at + NODE_FRONT + side];
			t->nodes[k].children[side] =
				child < 0 ? -1 - (-child - leafs.first) / LEAF_WORDS : (child - nodes.first) / NODE_WORDS;
		}
	}
	for (int32_t k = 0; k < leafs.count; k++) {
		const int32_t *leaf = ints + leafs.first + LEAF_WORDS * k;
		t->leafs[k] = (struct leaf){
			(leaf[0] - refs.first) / REF_WORDS, leaf[1], leaf[LEAF_FIRST_SURFACE], leaf[LEAF_FIRST_SURFACE + 1]};
	}
	for (int32_t k = 0; k < refs.count; k++) t->leaf_brushes[k] = ints[refs.first + REF_WORDS * k + REF_BRUSH];
	const int32_t root = ints[ROOT];
	t->root = root < 0 ? -1 - (-root - leafs.first) / LEAF_WORDS : (root - nodes.first) / NODE_WORDS;
}

static void read_brushes(struct tracer *t, const int32_t *ints, struct planes *planes) {
	const float *floats = (const float *)ints;
	const struct section brushes = section(ints, BRUSHES), sides = section(ints, SIDES), refs = section(ints, REFS);
	const int32_t *shaders = ints + section(ints, SHADERS).first;
	t->brushes = calloc(brushes.count + 1, sizeof *t->brushes);
	t->sides = calloc(sides.count + 1, sizeof *t->sides);
	for (int32_t k = 0; k < sides.count; k++) {
		const int32_t at = sides.first + SIDE_WORDS * k;
		t->sides[k].plane = intern(planes, floats + at, floats[at + 3]);
		t->sides[k].surface_flags = shaders[SHADER_WORDS * ints[at + SIDE_SHADER]];
	}
	for (int32_t k = 0; k < brushes.count; k++) {
		const int32_t *brush = ints + brushes.first + BRUSH_WORDS * k;
		t->brushes[k].sides = t->sides + (brush[0] - sides.first) / SIDE_WORDS;
		t->brushes[k].side_count = brush[1];
		t->brushes[k].contents = brush[2];
	}
	for (int32_t k = 0; k < refs.count; k++) {
		const int32_t *ref = ints + refs.first + REF_WORDS * k;
		memcpy(t->brushes[ref[REF_BRUSH]].bounds, ref, sizeof t->brushes->bounds);
	}
}

/** False where there are more planes or borders than there is room for. */
static bool read_patches(struct tracer *t, const int32_t *ints) {
	const float *floats = (const float *)ints;
	const struct section patches = section(ints, PATCHES), facets = section(ints, FACETS);
	const struct section in_leafs = section(ints, LEAF_SURFACES), surfaces = section(ints, SURFACES);
	t->patches = calloc(patches.count + 1, sizeof *t->patches);
	t->facets = calloc(facets.count + 1, sizeof *t->facets);
	t->leaf_patches = calloc(in_leafs.count + 1, sizeof *t->leaf_patches);
	int32_t plane_count = 0;
	for (int32_t k = 0; k < patches.count; k++) plane_count += ints[patches.first + PATCH_WORDS * k + 9];
	struct plane *plane = t->patch_planes = calloc(plane_count + 1, sizeof *plane);
	for (int32_t k = 0; k < facets.count; k++) {
		const int32_t *from = ints + facets.first + FACET_WORDS * k, *sides = ints + from[0];
		struct facet *facet = t->facets + k;
		facet->surface = sides[SIDE_PLANE];
		facet->border_count = from[1] - 1;
		if (facet->border_count > MAX_BORDERS) return false;
		for (int border = 0; border < facet->border_count; border++) {
			const int32_t named = sides[SIDE_WORDS * (1 + border) + SIDE_PLANE];
			facet->inward[border] = named < 0;
			facet->borders[border] = named < 0 ? -1 - named : named;
		}
	}
	struct patch **of_surface = calloc(surfaces.count + 1, sizeof *of_surface);
	bool fits = true;
	for (int32_t k = 0; k < patches.count; k++) {
		const int32_t *from = ints + patches.first + PATCH_WORDS * k;
		struct patch *patch = t->patches + k;
		*patch = (struct patch){.contents = from[6],
			.surface_flags = from[7],
			.plane_count = from[9],
			.facet_count = from[11],
			.planes = plane,
			.facets = t->facets + (from[10] - facets.first) / FACET_WORDS};
		memcpy(patch->bounds, from, sizeof patch->bounds);
		for (int32_t n = 0; n < from[9]; n++, plane++) {
			const float *stored = floats + from[8] + PLANE_WORDS * n;
			*plane = plane_of(stored, stored[3]);
		}
		of_surface[from[PATCH_SURFACE]] = patch;
		if (patch->plane_count > MAX_PATCH_PLANES) fits = false;
	}
	for (int32_t k = 0; k < in_leafs.count; k++) t->leaf_patches[k] = of_surface[ints[in_leafs.first + k]];
	free(of_surface);
	return fits;
}

struct tracer *yardstick_create(const void *data, const struct shape *shape) {
	const bool is_capsule = strcmp(shape->kind, "capsule") == 0;
	const bool is_ray = strcmp(shape->kind, "ray") == 0;
	if (!is_ray && !is_capsule && strcmp(shape->kind, "box") != 0) return NULL;
	struct tracer *t = calloc(1, sizeof *t);
	const int32_t most = section(data, NODES).count + section(data, SIDES).count;
	struct planes planes = {.mask = 1};
	while (planes.mask < 2 * most) planes.mask = 2 * planes.mask + 1;
	planes.places = calloc(planes.mask + 1, sizeof *planes.places);
	planes.list = t->planes = calloc(most + 1, sizeof *t->planes);
	read_tree(t, data, &planes);
	read_brushes(t, data, &planes);
	free(planes.places);
	if (!read_patches(t, data)) {
		yardstick_free(t);
		return NULL;
	}
	yardstick_set(t, shape->mins, shape->maxs, MASK_SOLID);
	t->is_capsule = is_capsule;
	t->epsilon = shape->keeps_distance ? EPSILON : 0;
	return t;
}

void yardstick_free(struct tracer *t) {
	free(t->planes);
	free(t->patch_planes);
	free(t->nodes);
	free(t->leafs);
	free(t->sides);
	free(t->brushes);
	free(t->facets);
	free(t->patches);
	free(t->leaf_brushes);
	free(t->leaf_patches);
	free(t);
}
