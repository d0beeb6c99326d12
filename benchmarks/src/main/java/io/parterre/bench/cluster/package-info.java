/**
 * Courses that a cluster of processes is put through, each of which yields figures to hold against
 * a bar. What is done to the cluster and who writes meanwhile are the chaos tests' faults and
 * workloads; here they are repeated and timed. Start with {@link io.parterre.bench.cluster.Course}.
 */
package io.parterre.bench.cluster;
