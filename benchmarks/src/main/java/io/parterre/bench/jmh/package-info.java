/**
 * Micro benchmarks of what runs for every request or every entity, over the entity of 1,024 bytes
 * that whole servers are measured with. Short by default (one process, two seconds of warm-up,
 * three of measuring), since they are for comparing two builds on one machine; options of JMH make
 * them longer. Start with {@link io.parterre.bench.jmh.Samples}.
 */
package io.parterre.bench.jmh;
