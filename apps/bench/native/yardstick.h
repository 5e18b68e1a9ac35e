// What a format's yardstick in C offers to the benchmark: its engine's way of tracing, recursive and without shortcuts.
// It is given the buffer of a world (`world.data`, whose layout the format's layout.ts describes), and works on records
// that are arranged as the engine's are.
#pragma once

#include <stddef.h>
#include <stdint.h>

/** What is moved, and against what. */
struct shape {
	/** As in `tracer.shape`: "ray", "box", "capsule", "hull" … */
	char kind[16];
	/** Corners of a box or capsule. */
	float mins[3], maxs[3];
	/** Of a hull. */
	int number;
	/** Whether to keep the engine's distance from surfaces; else none, where that can be chosen. */
	int keeps_distance;
};

/** An answer, with the fields of a trace. */
struct answer {
	float fraction;
	float end[3];
	int start_solid, all_solid;
	/** What was hit, of formats whose players are moved; all zero for nothing. */
	float normal[3];
	int surface_flags, contents;
};

/** Makes a tracer through the world in a buffer, which has to outlive it; NULL for a shape that is not offered. */
struct tracer *yardstick_create(const void *data, const struct shape *shape);

/** Traces a move. Where its ends are the same it is a position test, of formats whose players are moved. */
void yardstick_trace(struct tracer *tracer, const float start[3], const float end[3], struct answer *out);

// What else players ask of formats in which they are moved; each format has those of these that its players need.

/** Changes the corners of a box, and the contents that stop it. */
void yardstick_set(struct tracer *tracer, const float mins[3], const float maxs[3], int mask);

/** Contents at a point of what the tracer goes through; of a hull, those that its traces see. */
int yardstick_contents(const struct tracer *tracer, const float point[3]);

/** Makes a tracer of the same through a model; 0 is the world. */
struct tracer *yardstick_create_model(const struct tracer *tracer, int model);

/** Bounds of the model that the tracer goes through, as the engine keeps them. */
void yardstick_bounds(const struct tracer *tracer, float mins[3], float maxs[3]);

/** Makes a tracer of a point through a box entity, grown by the mover already. */
struct tracer *yardstick_create_box(const float mins[3], const float maxs[3]);

void yardstick_free(struct tracer *tracer);
