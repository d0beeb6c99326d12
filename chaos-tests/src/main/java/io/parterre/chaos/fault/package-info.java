/**
 * What is done to a cluster, and to which of its processes: a plan that a seed fixes, and the hand
 * that carries it out. Nothing here looks at what the cluster answers. Start with {@link
 * io.parterre.chaos.fault.FaultPlan}.
 */
package io.parterre.chaos.fault;
