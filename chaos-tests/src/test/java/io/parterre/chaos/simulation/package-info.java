/**
 * A whole cluster in one thread and in simulated time: the managers' map, planner and orders, and
 * the ranges' state machines, as they are; Raft replaced by {@link SimulatedLog}, stores by {@link
 * NodeStore}, the network by {@link Network}. What happens follows from one seed. What must hold is
 * checked as it goes, by {@link Invariants}. Start with {@link Simulation}.
 */
package io.parterre.chaos.simulation;
