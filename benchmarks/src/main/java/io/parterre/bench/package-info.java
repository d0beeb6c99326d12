/**
 * The command line of the benchmarks: what is run, in which order, and what is printed. Single
 * threaded. The generator is in {@code load}, what it asks in {@code work}, what it asks it of in
 * {@code subject}, micro benchmarks in {@code jmh}. Start with {@link
 * io.parterre.bench.Benchmarks}.
 */
package io.parterre.bench;
