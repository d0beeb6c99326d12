/**
 * The planners: which range is split, merged or moved, who shall lead it, and which nodes found the
 * cluster, each with its reason. They begin operations and do not follow them. Start with {@link
 * io.parterre.manager.plan.decide.Planner}, which calls the others in their order.
 */
package io.parterre.manager.plan.decide;
