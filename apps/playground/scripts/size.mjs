// Puts the page's size beside its budget; written with the build.
