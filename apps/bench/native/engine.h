// What a module for an engine's dedicated server shares with the other: the server loads it as its game, and it answers
// the benchmark's requests with the server's own traces. Whatever it knows of the engine is the interface to games.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct found {
	float fraction, end[3];
	int start_solid, all_solid;
};

/** What is moved: a ray, or a box or capsule of these corners. */
static float engine_mins[3], engine_maxs[3];
/** Chooses what is moved; 0 for what the engine does not offer. */
static int engine_shape(const char *kind);
static void engine_trace(const float start[3], const float end[3], struct found *out);
/** What the server does for each move besides the trace: it looks for entities in the box around it. */
static int engine_search(const float low[3], const float high[3]);

/** Nanoseconds by a clock: that of the processor's time or of the wall. */
static double time_by(clockid_t clock) {
	struct timespec time;
	clock_gettime(clock, &time);
	return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void trace_all(const float *queries, int first, int last) {
	volatile float sum = 0;
	struct found found;
	for (int k = first; k < last; k++) {
		engine_trace(queries + 6 * k, queries + 6 * k + 3, &found);
		sum += found.fraction;
	}
}

static void search_all(const float *queries, int first, int last) {
	volatile int sum = 0;
	for (int k = first; k < last; k++) {
		const float *start = queries + 6 * k, *end = start + 3;
		float low[3], high[3];
		for (int axis = 0; axis < 3; axis++) {
			const int rises = start[axis] < end[axis];
			low[axis] = (rises ? start : end)[axis] + engine_mins[axis] - 1;
			high[axis] = (rises ? end : start)[axis] + engine_maxs[axis] + 1;
		}
		sum += engine_search(low, high);
	}
}

/** Nanoseconds of a job: of its second run, because the process has slept, and others have had its caches since. */
static double time_of(void (*job)(const float *, int, int), clockid_t clock, const float *queries, int first, int last) {
	job(queries, first, last);
	const double began = time_by(clock);
	job(queries, first, last);
	return time_by(clock) - began;
}

/** Nanoseconds of the traces of some queries, less those that the server spends on entities, of which there are none. */
static double time_traces(clockid_t clock, const float *queries, int first, int last) {
	return time_of(trace_all, clock, queries, first, last) - time_of(search_all, clock, queries, first, last);
}

/**
 * Says that it is ready, and answers requests until there are no more, then ends the server. A request is a line, and so
 * is the reply:
 *   load COUNT             queries, six floats each, which follow as bytes: how many
 *   shape KIND MINS MAXS   what is moved: 1 if that is offered
 *   trace START END        fraction, end, whether it starts, or is all, in something solid
 *   run CLOCK FIRST LAST   traces these queries: nanoseconds of processor time (cpu) or wall-clock time (wall)
 */
static void engine_serve(void) {
	FILE *requests = fopen(getenv("BSPKIT_REQUESTS"), "r"), *replies = fopen(getenv("BSPKIT_REPLIES"), "w");
	if (!requests || !replies) _Exit(1);
	char line[4096], text[16];
	float *queries = NULL, *m = engine_mins, *x = engine_maxs, a[3], b[3];
	int count = 0, first, last;
	fprintf(replies, "ready\n");
	fflush(replies);
	while (fgets(line, sizeof line, requests)) {
		if (sscanf(line, "load %d", &count) == 1) {
			free(queries);
			queries = malloc(24 * (size_t)count + 1);
			count = (int)fread(queries, 24, count, requests);
			fprintf(replies, "%d\n", count);
		} else if (sscanf(line, "shape %15s %f %f %f %f %f %f", text, m, m + 1, m + 2, x, x + 1, x + 2) == 7) {
			fprintf(replies, "%d\n", engine_shape(text));
		} else if (sscanf(line, "trace %f %f %f %f %f %f", a, a + 1, a + 2, b, b + 1, b + 2) == 6) {
			struct found f;
			engine_trace(a, b, &f);
			fprintf(replies, "%.9g %.9g %.9g %.9g", f.fraction, f.end[0], f.end[1], f.end[2]);
			fprintf(replies, " %d %d\n", f.start_solid, f.all_solid);
		} else if (sscanf(line, "run %15s %d %d", text, &first, &last) == 3 && first >= 0 && last <= count) {
			const clockid_t clock = strcmp(text, "wall") == 0 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
			fprintf(replies, "%.0f\n", time_traces(clock, queries, first, last));
		} else fprintf(replies, "?\n");
		fflush(replies);
	}
	_Exit(0);
}
