/**
 * What is asked of a range, and where it would be split. Does no I/O and asks neither time nor
 * chance: sizes, ticks and random numbers come from the caller. All of it is values, but for {@link
 * io.parterre.server.load.LoadMeter} and what it has, which any thread counts with. Start with
 * {@link io.parterre.server.load.Observation} for split points by load, with {@link
 * io.parterre.server.load.SplitPointSearch} for split points by size.
 */
package io.parterre.server.load;
