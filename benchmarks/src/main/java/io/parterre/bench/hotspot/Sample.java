package io.parterre.bench.hotspot;

/** How ranges lay at a moment, in milliseconds since the run began. */
record Sample(long millis, Layout layout) {}
