/**
 * Micro benchmarks of code that runs for every request or every entity, over the entity of 1,024
 * bytes with which whole servers are measured. Short by default (one process, two seconds of
 * warm-up, three of measuring), because they compare two builds on one machine; options of JMH make
 * them longer. Start with {@link io.parterre.bench.jmh.Samples}.
 */
package io.parterre.bench.jmh;
