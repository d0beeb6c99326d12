/**
 * The command line of the benchmarks: what runs, in which order, and what is printed.
 * Single-threaded. The load generator is in {@code load}, its workloads in {@code work}, the
 * measured systems in {@code subject}, micro benchmarks in {@code jmh}. Start with {@link
 * io.parterre.bench.Benchmarks}.
 */
package io.parterre.bench;
