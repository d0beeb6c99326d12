/**
 * Clusters in simulated seconds: the managers' planners, orders and map against simulated nodes,
 * ranges, load, slow networks and failures. A run follows from its scenario and its seed alone. One
 * thread runs it. Start with {@link io.parterre.simulator.SimCluster}.
 */
package io.parterre.simulator;
