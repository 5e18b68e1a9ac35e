// The engine's lines and boxes as they are usually written in C: every selected tree is walked in full, one after the
// other, over records that point to each other as the engine's do. What the engine computes anew for each trace, and for
// boxes in each tree, is computed anew here too. Only the benchmark uses it, to have something native to compare with.

#include "yardstick.h"

#include <math.h>
#include <stdbool.h>

#include "../../brushes/yardstick/tree.h"

// Words of the buffer, as in layout.ts.
enum {
	SECTIONS = 8,
	TILES = 0,
	LINE_HEADS = 1,
	BOX_HEADS = 2,
	NODES = 6,
	PLANES = 7,
	LEAFS = 8,
	LEAF_BRUSHES = 9,
	BRUSHES = 10,
	SIDES = 11,
	TILE_WORDS = 34,
	TILE_MINS = 6,
	TILE_MAXS = 9,
	TILE_LINE_HEADS = 18,
	TILE_BOX_HEADS = 20,
	TILE_BRUSHES = 28,
	TILE_PLANES = 31,
	LINE_HEAD_WORDS = 13,
	LINE_HEAD_ROOT = 11,
	BOX_HEAD_WORDS = 9,
	BOX_HEAD_LEVEL = 1,
	SPLIT_UNION = 4,
	UNION = 6,
};

/** What stops lines, and what lets them pass even so. */
enum { BLOCKING = 0x1 | 0x10000 | 0x80000 | 0x2000000, PASSABLE = 0x20000 };

/** Defaults of boxes: all levels and the clip for units, whatever a unit cannot enter. */
enum { BOX_LEVELS = 0x1ff, MASK = 0x1 | 0x2 | 0x10000 };

/** Models beyond these levels are clips, which lines ignore by default and boxes test whatever the level. */
enum { LAST_LEVEL = 255 };

#define EPSILON 0.03125
#define NOTHING 2

/** Node of a tree for lines, with all that a line needs. */
struct line_node {
	/** 0 to 2: across an axis; 3: oblique; UNION: no plane, both children are walked. */
	int32_t kind;
	float normal[3], dist;
	/** Below 0: a leaf, of which only whether it blocks is known. */
	int32_t children[2];
};

enum { OPEN = -1, BLOCKED = -2 };

/** A tree of lines, or of boxes, and the level that it belongs to. */
struct head {
	int32_t root, level;
};

struct brush {
	int32_t contents, side_count, first_side;
	/** The last trace that met it. */
	uint32_t stamp;
};

struct tile {
	float mins[3], maxs[3];
	int32_t first_line_head, line_head_count, first_box_head, box_head_count;
};

/** A map as the engine keeps it in memory. Sides are pointers to their planes, as their textures are not needed. */
struct tracer {
	struct line_node *line_nodes;
	int32_t line_node_count;
	struct head *line_heads, *box_heads;
	struct tree tree;
	struct brush *brushes;
	const struct plane **sides;
	struct tile *tiles;
	int tile_count;
	uint32_t stamp;
	bool is_line;
	float given_mins[3], given_maxs[3];
	/** The current move of the box's middle through one tree. */
	bool is_point;
	float center[3], mins[3], maxs[3], start[3], end[3];
	float fraction;
	bool start_solid, all_solid;
};

struct hit {
	bool found;
	float at[3];
};

static float length(const float a[3], const float b[3]) {
	const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
	return sqrtf(x * x + y * y + z * z);
}

/** The first place on a piece of the line where something below a child blocks. */
static void walk_line(
	const struct tracer *t, int32_t child, const float start[3], const float end[3], struct hit *hit) {
	if (child < 0) {
		hit->found = child == BLOCKED;
		if (hit->found) memcpy(hit->at, start, sizeof hit->at);
		return;
	}
	const struct line_node *node = t->line_nodes + child;
	float d1, d2;
	switch (node->kind) {
	case 0:
	case 1:
	case 2:
		d1 = start[node->kind] - node->dist;
		d2 = end[node->kind] - node->dist;
		break;
	case UNION: {
		struct hit second;
		walk_line(t, node->children[0], start, end, hit);
		walk_line(t, node->children[1], start, end, &second);
		if (second.found && !(hit->found && length(start, hit->at) < length(start, second.at))) *hit = second;
		return;
	}
	default:
		d1 = dot(start, node->normal) - node->dist;
		d2 = dot(end, node->normal) - node->dist;
	}
	if (d1 >= -0.1 && d2 >= -0.1) {
		walk_line(t, node->children[0], start, end, hit);
		return;
	}
	if (d1 < 0.1 && d2 < 0.1) {
		walk_line(t, node->children[1], start, end, hit);
		return;
	}
	float middle[3];
	between(start, end, d1 / (d1 - d2), middle);
	const int side = d1 < 0;
	walk_line(t, node->children[side], start, middle, hit);
	if (!hit->found) walk_line(t, node->children[1 - side], middle, end, hit);
}

static bool differ(const float a[3], const float b[3]) {
	for (int k = 0; k < 3; k++) {
		if (fabsf(a[k] - b[k]) > 0.001f) return true;
	}
	return false;
}

static void trace_line(struct tracer *t, const float start[3], const float end[3], struct answer *out) {
	struct hit best = {0};
	for (const struct tile *tile = t->tiles; tile < t->tiles + t->tile_count; tile++) {
		struct hit nearest = {0};
		for (int k = 0; k < tile->line_head_count; k++) {
			const struct head *head = t->line_heads + tile->first_line_head + k;
			if (head->level > LAST_LEVEL || head->root < 0) continue;
			struct hit hit;
			walk_line(t, head->root, start, end, &hit);
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

/** How far the box must stay from a side's plane: the corner that reaches it first is found each time. */
static float widened(const struct tracer *t, const struct plane *plane) {
	float corner[3];
	for (int k = 0; k < 3; k++) corner[k] = plane->normal[k] < 0 ? t->maxs[k] : t->mins[k];
	return plane->dist - dot(corner, plane->normal);
}

static void check_brush(struct tracer *t, const struct brush *brush) {
	float enter = -1, leave = 1;
	bool starts_out = false, ends_out = false;
	if (brush->side_count == 0) return;
	for (int k = 0; k < brush->side_count; k++) {
		const struct plane *plane = t->sides[brush->first_side + k];
		const float dist = t->is_point ? plane->dist : widened(t, plane);
		const float from = dot(t->start, plane->normal) - dist;
		const float to = dot(t->end, plane->normal) - dist;
		if (to > 0) ends_out = true;
		if (from > 0) starts_out = true;
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

static void check_leaf(struct tracer *t, int number) {
	const struct leaf *leaf = t->tree.leafs + number;
	if (!passes(leaf->contents)) return;
	for (int k = 0; k < leaf->brush_count; k++) {
		struct brush *brush = t->brushes + t->tree.leaf_brushes[leaf->first_brush + k];
		if (brush->stamp == t->stamp) continue;
		brush->stamp = t->stamp;
		if (!passes(brush->contents)) continue;
		check_brush(t, brush);
		if (t->fraction == 0) return;
	}
}

static void check_node(
	struct tracer *t, int32_t child, float from, float to, const float start[3], const float end[3]) {
	if (t->fraction <= from) return;
	if (child < 0) {
		check_leaf(t, -1 - child);
		return;
	}
	const struct node *node = t->tree.nodes + child;
	const struct plane *plane = node->plane;
	const float dist = plane->dist;
	float d1, d2, offset;
	if (plane->axis < OBLIQUE) {
		d1 = start[plane->axis] - dist;
		d2 = end[plane->axis] - dist;
		offset = t->is_point ? 0 : t->maxs[plane->axis];
	} else {
		const float *normal = plane->normal;
		d1 = dot(normal, start) - dist;
		d2 = dot(normal, end) - dist;
		offset = t->is_point ? 0
		                     : fabsf(t->maxs[0] * normal[0]) + fabsf(t->maxs[1] * normal[1]) +
				fabsf(t->maxs[2] * normal[2]);
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

/** A move through one tree, starting from the given box. */
static void trace_tree(struct tracer *t, int32_t root, const float start[3], const float end[3]) {
	t->stamp++;
	t->is_point = true;
	for (int k = 0; k < 3; k++) {
		t->center[k] = (t->given_mins[k] + t->given_maxs[k]) * 0.5f;
		t->mins[k] = t->given_mins[k] - t->center[k];
		t->maxs[k] = t->given_maxs[k] - t->center[k];
		t->start[k] = start[k] + t->center[k];
		t->end[k] = end[k] + t->center[k];
		if (t->maxs[k] != 0) t->is_point = false;
	}
	check_node(t, root, 0, 1, t->start, t->end);
}

static bool is_away(const struct tracer *t, const struct tile *tile, const float start[3], const float end[3]) {
	for (int k = 0; k < 3; k++) {
		const float most = t->given_maxs[k], least = t->given_mins[k];
		if (start[k] + most < tile->mins[k] && end[k] + most < tile->mins[k]) return true;
		if (start[k] + least > tile->maxs[k] && end[k] + least > tile->maxs[k]) return true;
	}
	return false;
}

static void trace_box(struct tracer *t, const float start[3], const float end[3], struct answer *out) {
	float best = NOTHING;
	bool start_solid = false, all_solid = false;
	for (const struct tile *tile = t->tiles; tile < t->tiles + t->tile_count && best > 0; tile++) {
		if (is_away(t, tile, start, end)) continue;
		t->fraction = 1;
		t->start_solid = t->all_solid = false;
		for (int k = 0; k < tile->box_head_count; k++) {
			const struct head *head = t->box_heads + tile->first_box_head + k;
			if (head->level != 0 && head->level <= LAST_LEVEL && !(head->level & BOX_LEVELS)) continue;
			trace_tree(t, head->root, start, end);
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

void yardstick_trace(struct tracer *t, const float start[3], const float end[3], struct answer *out) {
	if (t->is_line) trace_line(t, start, end, out);
	else trace_box(t, start, end, out);
}

// From the buffer to these records.

static struct section section(const int32_t *ints, int number) {
	return (struct section){ints[SECTIONS + 2 * number], ints[SECTIONS + 2 * number + 1]};
}

static void read_nodes(struct tracer *t, const int32_t *ints) {
	read_tree(
		&t->tree, ints, section(ints, NODES), section(ints, PLANES), section(ints, LEAFS),
		section(ints, LEAF_BRUSHES), section(ints, BRUSHES));
}

/** Brushes of all tiles; their sides name planes of their own tile. */
static void read_brushes(struct tracer *t, const int32_t *ints) {
	const struct section tiles = section(ints, TILES), brushes = section(ints, BRUSHES), sides = section(ints, SIDES);
	t->brushes = calloc(brushes.count + 1, sizeof *t->brushes);
	t->sides = calloc(sides.count + 1, sizeof *t->sides);
	for (int32_t tile = 0; tile < tiles.count; tile++) {
		const int32_t *record = ints + tiles.first + TILE_WORDS * tile;
		const int32_t end = tile + 1 < tiles.count ? record[TILE_WORDS + TILE_BRUSHES] : brushes.count;
		for (int32_t k = record[TILE_BRUSHES]; k < end; k++) {
			const int32_t *brush = ints + brushes.first + BRUSH_WORDS * k;
			const int32_t *side = ints + brush[BRUSH_SIDES];
			const int32_t first = (brush[BRUSH_SIDES] - sides.first) / SIDE_WORDS;
			t->brushes[k] = (struct brush){brush[0], brush[BRUSH_SIDE_COUNT], first, 0};
			for (int32_t s = 0; s < brush[BRUSH_SIDE_COUNT]; s++) {
				t->sides[first + s] = t->tree.planes + record[TILE_PLANES] + side[SIDE_WORDS * s + SIDE_PLANE];
			}
		}
	}
}

/** Copies a tree for lines: a node, then all below its first child, then all below its second. */
static int32_t copy_tree(struct tracer *t, const int32_t *ints, int32_t child) {
	if (child < 0) {
		const int32_t contents = t->tree.leafs[-1 - child].contents;
		return (contents & BLOCKING) && !(contents & PASSABLE) ? BLOCKED : OPEN;
	}
	const int32_t *from = ints + section(ints, NODES).first + NODE_WORDS * child;
	const int kind = from[0] & 15;
	// The second child of a union that splits is in front.
	const bool splits = kind >= SPLIT_UNION && kind < UNION;
	const int32_t number = t->line_node_count++;
	struct line_node *node = t->line_nodes + number;
	node->kind = splits ? kind - SPLIT_UNION : kind;
	memcpy(&node->dist, from + 1, sizeof node->dist);
	if (kind <= OBLIQUE) memcpy(node->normal, t->tree.nodes[child].plane->normal, sizeof node->normal);
	node->children[splits ? 1 : 0] = copy_tree(t, ints, from[2]);
	node->children[splits ? 0 : 1] = copy_tree(t, ints, from[3]);
	return number;
}

static void read_heads(struct tracer *t, const int32_t *ints) {
	const struct section lines = section(ints, LINE_HEADS), boxes = section(ints, BOX_HEADS);
	t->line_heads = calloc(lines.count + 1, sizeof *t->line_heads);
	t->box_heads = calloc(boxes.count + 1, sizeof *t->box_heads);
	t->line_nodes = calloc(section(ints, NODES).count + 1, sizeof *t->line_nodes);
	for (int32_t k = 0; k < lines.count; k++) {
		const int32_t *head = ints + lines.first + LINE_HEAD_WORDS * k;
		const int32_t root = head[LINE_HEAD_ROOT];
		t->line_heads[k] = (struct head){root < 0 ? -1 : copy_tree(t, ints, root), head[0]};
	}
	for (int32_t k = 0; k < boxes.count; k++) {
		const int32_t *head = ints + boxes.first + BOX_HEAD_WORDS * k;
		t->box_heads[k] = (struct head){head[0], head[BOX_HEAD_LEVEL]};
	}
}

static void read_tiles(struct tracer *t, const int32_t *ints) {
	const struct section tiles = section(ints, TILES);
	t->tile_count = tiles.count;
	t->tiles = calloc(tiles.count + 1, sizeof *t->tiles);
	for (int32_t k = 0; k < tiles.count; k++) {
		const int32_t *record = ints + tiles.first + TILE_WORDS * k;
		struct tile *tile = t->tiles + k;
		memcpy(tile->mins, record + TILE_MINS, sizeof tile->mins);
		memcpy(tile->maxs, record + TILE_MAXS, sizeof tile->maxs);
		tile->first_line_head = record[TILE_LINE_HEADS];
		tile->line_head_count = record[TILE_LINE_HEADS + 1];
		tile->first_box_head = record[TILE_BOX_HEADS];
		tile->box_head_count = record[TILE_BOX_HEADS + 1];
	}
}

struct tracer *yardstick_create(const void *data, const struct shape *shape) {
	const bool is_line = strcmp(shape->kind, "line") == 0;
	const bool is_ray = strcmp(shape->kind, "ray") == 0;
	if (!is_line && !is_ray && strcmp(shape->kind, "box") != 0) return NULL;
	struct tracer *t = calloc(1, sizeof *t);
	read_nodes(t, data);
	read_brushes(t, data);
	read_heads(t, data);
	read_tiles(t, data);
	t->is_line = is_line;
	memcpy(t->given_mins, shape->mins, sizeof t->given_mins);
	memcpy(t->given_maxs, shape->maxs, sizeof t->given_maxs);
	return t;
}

void yardstick_free(struct tracer *t) {
	free(t->line_nodes);
	free(t->line_heads);
	free(t->box_heads);
	free_tree(&t->tree);
	free(t->brushes);
	free(t->sides);
	free(t->tiles);
	free(t);
}
