// Trees of brushes as the engines of one family keep them in memory, made from a world's buffer: records that point to each
// other. Shared by the yardsticks of the formats in that family.
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Words of the buffer's records, as in layout.ts of this package.
enum {
	NODE_WORDS = 4,
	PLANE_WORDS = 4,
	LEAF_WORDS = 3,
	BRUSH_WORDS = 10,
	BRUSH_SIDES = 1,
	BRUSH_SIDE_COUNT = 2,
	SIDE_WORDS = 6,
	SIDE_PLANE = 4,
	SIDE_TEXTURE = 5,
	OBLIQUE = 3,
};

/** Stored once for everything that lies on it. */
struct plane {
	float normal[3], dist;
	/** 0 to 2: across an axis; 3: oblique. */
	uint8_t axis;
};

struct node {
	const struct plane *plane;
	/** Below 0: a leaf, -1 - its number. */
	int32_t children[2];
};

struct leaf {
	int32_t contents, first_brush, brush_count;
};

struct tree {
	struct plane *planes;
	struct node *nodes;
	struct leaf *leafs;
	/** Numbers of brushes. */
	int32_t *leaf_brushes;
};

/** A section of the buffer: its place, and how many records it has. */
struct section {
	int32_t first, count;
};

static inline float dot(const float a[3], const float b[3]) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void between(const float a[3], const float b[3], float t, float out[3]) {
	for (int k = 0; k < 3; k++) out[k] = a[k] + t * (b[k] - a[k]);
}

static inline void read_tree(
	struct tree *tree, const int32_t *ints, struct section nodes, struct section planes, struct section leafs,
	struct section in_leafs, struct section brushes) {
	const float *floats = (const float *)ints;
	tree->planes = calloc(planes.count + 1, sizeof *tree->planes);
	tree->nodes = calloc(nodes.count + 1, sizeof *tree->nodes);
	tree->leafs = calloc(leafs.count + 1, sizeof *tree->leafs);
	tree->leaf_brushes = calloc(in_leafs.count + 1, sizeof *tree->leaf_brushes);
	for (int32_t k = 0; k < planes.count; k++) {
		const float *plane = floats + planes.first + PLANE_WORDS * k;
		memcpy(tree->planes[k].normal, plane, 3 * sizeof *plane);
		tree->planes[k].dist = plane[3];
		tree->planes[k].axis = OBLIQUE;
	}
	for (int32_t k = 0; k < nodes.count; k++) {
		const int32_t *node = ints + nodes.first + NODE_WORDS * k;
		const int kind = node[0] & 15;
		// Kinds above belong to the format, and do not occur here.
		if (kind > OBLIQUE) continue;
		struct plane *plane = tree->planes + ((uint32_t)node[0] >> 4);
		plane->axis = kind;
		tree->nodes[k] = (struct node){plane, {node[2], node[3]}};
	}
	for (int32_t k = 0; k < leafs.count; k++) {
		const int32_t *leaf = ints + leafs.first + LEAF_WORDS * k;
		tree->leafs[k] = (struct leaf){leaf[0], leaf[1] - in_leafs.first, leaf[2]};
	}
	for (int32_t k = 0; k < in_leafs.count; k++) {
		tree->leaf_brushes[k] = (ints[in_leafs.first + k] - brushes.first) / BRUSH_WORDS;
	}
}

static inline void free_tree(struct tree *tree) {
	free(tree->planes);
	free(tree->nodes);
	free(tree->leafs);
	free(tree->leaf_brushes);
}
