/**
 * Pictures of runs as SVG, written by hand: the few shapes that are needed cost less than a library
 * for all of them. Start with {@link io.parterre.bench.plot.TimePlot}.
 */
package io.parterre.bench.plot;
