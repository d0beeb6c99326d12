/**
 * Courses of actions on a cluster of processes, each of which yields figures to compare with a bar.
 * Faults and workloads are those of the chaos tests; here they are repeated and timed. Start with
 * {@link io.parterre.bench.cluster.Course}.
 */
package io.parterre.bench.cluster;
