/**
 * Load of a range, admission of its requests, and its split points. Does no I/O and reads neither
 * clock nor random numbers: sizes, ticks and random numbers come from the caller. All types are
 * values, except {@link io.parterre.server.load.LoadMeter} and its parts, with which any thread
 * counts. Start with {@link io.parterre.server.load.Observation} for split points by load, with
 * {@link io.parterre.server.load.SplitPointSearch} for split points by size.
 */
package io.parterre.server.load;
