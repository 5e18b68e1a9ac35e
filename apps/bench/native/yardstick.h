// What a format's yardstick in C offers to the benchmark: its engine's way of tracing, recursive and without shortcuts,
// over the buffer of a world (`world.data`, whose layout the format's layout.ts describes).
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
};

/** Makes a tracer over a world's buffer, which has to outlive it; NULL for a shape that is not offered. */
struct tracer *yardstick_create(const void *data, const struct shape *shape);

/** Traces a move, whose ends differ. */
void yardstick_trace(struct tracer *tracer, const float start[3], const float end[3], struct answer *out);

void yardstick_free(struct tracer *tracer);
