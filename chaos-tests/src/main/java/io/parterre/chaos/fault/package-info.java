/**
 * Faults of a cluster and the processes that they hit: a plan determined by a seed, and the code
 * that executes it. Nothing here evaluates the cluster's answers. Start with {@link
 * io.parterre.chaos.fault.FaultPlan}.
 */
package io.parterre.chaos.fault;
