/**
 * Clusters in simulated seconds: the managers' planners, orders and map against nodes, ranges, what
 * is asked of them, slow networks and failures, all of them made up. What happens in a run follows
 * from its scenario and its seed alone. One thread runs it. Start with {@link
 * io.parterre.simulator.SimCluster}.
 */
package io.parterre.simulator;
