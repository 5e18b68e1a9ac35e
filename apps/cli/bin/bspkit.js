#!/usr/bin/env node
// npm only links a command to a file that exists when it installs, which in a clone is before the build.
import '../dist/main.js';
