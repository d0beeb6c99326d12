/**
 * The settings of the cluster that operators change while it runs, as values: their defaults,
 * limits and units, and the table by which they are read and printed. Other packages decide what a
 * policy requires of the cluster. Start with {@link io.parterre.manager.plan.policy.Policy}; {@link
 * io.parterre.manager.plan.policy.PolicyTable} has every key.
 */
package io.parterre.manager.plan.policy;
