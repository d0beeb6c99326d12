/**
 * The managers' own group: what a manager may do after its start, who bootstraps the group, and by
 * which steps managers are added and removed. {@code manager.entry} reads the others' answers and
 * begins the group. Start with {@link io.parterre.manager.plan.membership.FirstStart} and {@link
 * io.parterre.manager.plan.membership.ManagerSteps}.
 */
package io.parterre.manager.plan.membership;
