/**
 * What is asked of a range, and where it would be cut. Does no I/O and asks neither time nor
 * chance: sizes, ticks and random numbers come from whoever asks. All of it is values, but for
 * {@link io.parterre.server.load.LoadMeter} and what it has, which any thread counts with. Start
 * with {@link io.parterre.server.load.Observation} for cuts by load, with {@link
 * io.parterre.server.load.CutSearch} for cuts by size.
 */
package io.parterre.server.load;
