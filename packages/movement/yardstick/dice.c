// The numbers that Quake's server draws, in the place of the system's: the server loads it by LD_PRELOAD; see
// scripts/quake1-server.ts in conformance. The server draws numbers all the time, as many as there is time for. So the game code says
// when the dice are loaded: by asking for the direction of a vector whose y is SIGN and whose x says where they begin, or -1 where
// they end. What is drawn meanwhile is printed. BSPKIT_SEED is the seed.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIGN = 8388607 };

static uint32_t state;
static int are_loaded;

int rand(void) {
	state = state * 1664525 + 1013904223;
	const int number = (int)(state >> 8) & 0x7fff;
	// The lowest two bits are all that a monster looks at.
	if (are_loaded) printf("@R %d\n", number & 3);
	return number;
}

double atan2(double y, double x) {
	static double (*usual)(double, double);
	if (y != SIGN) {
		if (!usual) usual = (double (*)(double, double))dlsym(RTLD_NEXT, "atan2");
		return usual(y, x);
	}
	are_loaded = x >= 0;
	if (are_loaded) state = ((uint32_t)atoi(getenv("BSPKIT_SEED")) + (uint32_t)x) * 2654435769u;
	return 0;
}
