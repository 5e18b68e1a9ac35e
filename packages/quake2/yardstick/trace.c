// The engine's boxes as they are usually written in C: recursive, one test after the other, over records that point to each
// other as the engine's do. What the engine works out for each trace is worked out for each. Only the benchmark uses it,
// to have something native to compare with.

#include "yardstick.h"

#include <math.h>
#include <stdbool.h>

#include "../../brushes/yardstick/tree.h"

// Words of the buffer, as layout.ts tells them.
enum {
	SECTIONS = 6,
	NODES = 0,
	PLANES = 1,
	LEAFS = 2,
	LEAF_BRUSHES = 4,
	BRUSHES = 5,
	SIDES = 6,
	TEXTURES = 7,
	MODELS = 8,
	MODEL_WORDS = 7,
	MODEL_MAXS = 3,
	MODEL_HEAD = 6,
};

/** What stops boxes by default: solid, and windows. */
enum { MASK = 0x1 | 0x2 };

#define EPSILON 0.03125f
/** Leafs that a position test looks at, at most. */
#define MAX_LEAFS 1024

struct side {
	const struct plane *plane;
	int32_t surface_flags;
};

struct brush {
	int32_t contents, side_count, first_side;
	/** The trace that it was last met in. */
	uint32_t stamp;
};

/** A map as the engine has it in memory; tracers through its models share it. */
struct world {
	const int32_t *ints;
	int users;
	struct tree tree;
	struct brush *brushes;
	struct side *sides;
	uint32_t stamp;
};

struct tracer {
	struct world *world;
	/** The model that is traced against, and the root of its tree. */
	const float *model;
	int32_t head;
	float mins[3], maxs[3], extents[3];
	bool is_point;
	int mask;
	/** The move under way, or where the box stands. */
	float start[3], end[3];
	float low[3], high[3];
	int leafs_found;
	int found[MAX_LEAFS];
	struct answer answer;
};

/** How far the box has to stay from a side's plane: the corner that comes first to it is found each time. */
static float widened(const struct tracer *t, const struct plane *plane) {
	float corner[3];
	for (int k = 0; k < 3; k++) corner[k] = plane->normal[k] < 0 ? t->maxs[k] : t->mins[k];
	return plane->dist - dot(corner, plane->normal);
}

static void check_brush(struct tracer *t, const struct brush *brush) {
	float enter = -1, leave = 1;
	bool starts_out = false, ends_out = false;
	if (brush->side_count == 0) return;
	const struct side *entered = NULL;
	for (int k = 0; k < brush->side_count; k++) {
		const struct side *side = t->world->sides + brush->first_side + k;
		const struct plane *plane = side->plane;
		const float dist = t->is_point ? plane->dist : widened(t, plane);
		const float from = dot(t->start, plane->normal) - dist;
		const float to = dot(t->end, plane->normal) - dist;
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
		memcpy(out->normal, entered->plane->normal, sizeof out->normal);
		out->surface_flags = entered->surface_flags;
		out->contents = brush->contents;
	}
}

static void test_brush(struct tracer *t, const struct brush *brush) {
	if (brush->side_count == 0) return;
	for (int k = 0; k < brush->side_count; k++) {
		const struct plane *plane = t->world->sides[brush->first_side + k].plane;
		if (dot(t->start, plane->normal) - widened(t, plane) > 0) return;
	}
	t->answer.start_solid = t->answer.all_solid = true;
	t->answer.fraction = 0;
	t->answer.contents = brush->contents;
}

/** Clips by the brushes of a leaf, or tests against them, those that this trace has not met yet. */
static void check_leaf(struct tracer *t, int number, void (*check)(struct tracer *, const struct brush *)) {
	struct world *world = t->world;
	const struct leaf *leaf = world->tree.leafs + number;
	if (!(leaf->contents & t->mask)) return;
	for (int k = 0; k < leaf->brush_count; k++) {
		struct brush *brush = world->brushes + world->tree.leaf_brushes[leaf->first_brush + k];
		if (brush->stamp == world->stamp) continue;
		brush->stamp = world->stamp;
		if (!(brush->contents & t->mask)) continue;
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
	const struct node *node = t->world->tree.nodes + child;
	const struct plane *plane = node->plane;
	const float dist = plane->dist;
	float d1, d2, offset;
	if (plane->axis < OBLIQUE) {
		d1 = start[plane->axis] - dist;
		d2 = end[plane->axis] - dist;
		offset = t->extents[plane->axis];
	} else {
		const float *normal = plane->normal;
		d1 = dot(normal, start) - dist;
		d2 = dot(normal, end) - dist;
		offset = t->is_point ? 0
		                     : fabsf(t->extents[0] * normal[0]) + fabsf(t->extents[1] * normal[1]) +
				fabsf(t->extents[2] * normal[2]);
	}
	if (d1 >= offset && d2 >= offset) {
		check_node(t, node->children[0], from, to, start, end);
		return;
	}
	if (d1 < -offset && d2 < -offset) {
		check_node(t, node->children[1], from, to, start, end);
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
	check_node(t, node->children[side], from, from + (to - from) * near, start, mid);
	between(start, end, far, mid);
	check_node(t, node->children[1 - side], from + (to - from) * far, to, mid, end);
}

/** Lists the leafs that a box reaches. */
static void find_leafs(struct tracer *t, int32_t child) {
	while (child >= 0) {
		const struct node *node = t->world->tree.nodes + child;
		const struct plane *plane = node->plane;
		const float dist = plane->dist;
		bool front, back;
		if (plane->axis < OBLIQUE) {
			front = dist <= t->low[plane->axis];
			back = !front && dist >= t->high[plane->axis];
			if (!front && !back) front = back = true;
		} else {
			const float *normal = plane->normal;
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
			child = node->children[front ? 0 : 1];
			continue;
		}
		find_leafs(t, node->children[0]);
		child = node->children[1];
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

void yardstick_trace(struct tracer *t, const float start[3], const float end[3], struct answer *out) {
	t->world->stamp++;
	memset(&t->answer, 0, sizeof t->answer);
	t->answer.fraction = 1;
	t->is_point = true;
	for (int k = 0; k < 3; k++) {
		t->start[k] = start[k];
		t->end[k] = end[k];
		t->extents[k] = -t->mins[k] > t->maxs[k] ? -t->mins[k] : t->maxs[k];
		if (t->mins[k] != 0 || t->maxs[k] != 0) t->is_point = false;
	}
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
		const struct node *node = t->world->tree.nodes + child;
		const struct plane *plane = node->plane;
		const float d = (plane->axis < OBLIQUE ? point[plane->axis] : dot(plane->normal, point)) - plane->dist;
		child = node->children[d < 0];
	}
	return t->world->tree.leafs[-1 - child].contents;
}

void yardstick_set(struct tracer *t, const float mins[3], const float maxs[3], int mask) {
	memcpy(t->mins, mins, sizeof t->mins);
	memcpy(t->maxs, maxs, sizeof t->maxs);
	t->mask = mask;
}

void yardstick_bounds(const struct tracer *t, float mins[3], float maxs[3]) {
	memcpy(mins, t->model, 3 * sizeof *mins);
	memcpy(maxs, t->model + MODEL_MAXS, 3 * sizeof *maxs);
}

// From the buffer to these records.

static struct section section(const int32_t *ints, int number) {
	return (struct section){ints[SECTIONS + 2 * number], ints[SECTIONS + 2 * number + 1]};
}

static void read_nodes(struct world *world, const int32_t *ints) {
	read_tree(
		&world->tree, ints, section(ints, NODES), section(ints, PLANES), section(ints, LEAFS),
		section(ints, LEAF_BRUSHES), section(ints, BRUSHES));
}

static void read_brushes(struct world *world, const int32_t *ints) {
	const struct section brushes = section(ints, BRUSHES), sides = section(ints, SIDES);
	const int32_t *textures = ints + section(ints, TEXTURES).first;
	world->brushes = calloc(brushes.count + 1, sizeof *world->brushes);
	world->sides = calloc(sides.count + 1, sizeof *world->sides);
	for (int32_t k = 0; k < brushes.count; k++) {
		const int32_t *brush = ints + brushes.first + BRUSH_WORDS * k;
		world->brushes[k] = (struct brush){
			brush[0], brush[BRUSH_SIDE_COUNT], (brush[BRUSH_SIDES] - sides.first) / SIDE_WORDS, 0};
	}
	for (int32_t k = 0; k < sides.count; k++) {
		const int32_t *side = ints + sides.first + SIDE_WORDS * k;
		const int32_t texture = side[SIDE_TEXTURE];
		world->sides[k] = (struct side){world->tree.planes + side[SIDE_PLANE], texture < 0 ? 0 : textures[texture]};
	}
}

static void free_world(struct world *world) {
	if (--world->users > 0) return;
	free_tree(&world->tree);
	free(world->brushes);
	free(world->sides);
	free(world);
}

static void choose_model(struct tracer *t, int model) {
	const int32_t *ints = t->world->ints + section(t->world->ints, MODELS).first + MODEL_WORDS * model;
	t->model = (const float *)ints;
	t->head = model == 0 ? 0 : ints[MODEL_HEAD];
}

struct tracer *yardstick_create(const void *data, const struct shape *shape) {
	if (strcmp(shape->kind, "ray") != 0 && strcmp(shape->kind, "box") != 0) return NULL;
	struct tracer *t = calloc(1, sizeof *t);
	t->world = calloc(1, sizeof *t->world);
	t->world->ints = data;
	t->world->users = 1;
	read_nodes(t->world, data);
	read_brushes(t->world, data);
	choose_model(t, 0);
	yardstick_set(t, shape->mins, shape->maxs, MASK);
	return t;
}

struct tracer *yardstick_create_model(const struct tracer *tracer, int model) {
	struct tracer *t = malloc(sizeof *t);
	*t = *tracer;
	t->world->users++;
	choose_model(t, model);
	return t;
}

void yardstick_free(struct tracer *t) {
	free_world(t->world);
	free(t);
}
