#!/usr/bin/env node
// npm links a command only to a file that is there when it installs, which in a clone comes before the build.
import '../dist/main.js';
