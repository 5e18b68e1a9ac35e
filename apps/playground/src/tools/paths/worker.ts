import { serveWork } from '../serve.ts';

// Works out the table of a map that comes without.

serveWork((format, { bytes }, report) => format.routing!.compute(format.read(bytes), report));
