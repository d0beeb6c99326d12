/**
 * The managers' own group: what a manager that starts may do, who founds the group, and by which
 * steps managers are added and removed. Reading the others' answers and beginning the group are the
 * business of {@code manager.entry}. Start with {@link
 * io.parterre.manager.plan.membership.FirstStart} and {@link
 * io.parterre.manager.plan.membership.ManagerSteps}.
 */
package io.parterre.manager.plan.membership;
