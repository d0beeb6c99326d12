/**
 * The settings of the cluster that operators change while it runs, as values: their defaults,
 * limits and units, and the table by which they are read and printed. What a policy asks of the
 * cluster is decided elsewhere. Start with {@link io.parterre.manager.plan.policy.Policy}; {@link
 * io.parterre.manager.plan.policy.PolicyTable} has every key.
 */
package io.parterre.manager.plan.policy;
