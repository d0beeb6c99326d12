package io.parterre.bench.hotspot;

/** The layout of ranges at a moment, in milliseconds since the run began. */
record Sample(long millis, Layout layout) {}
