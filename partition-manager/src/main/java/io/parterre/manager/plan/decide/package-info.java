/**
 * The planners: which range is split, merged or moved, which member leads it, and on which nodes
 * the cluster is created, each with its reason. They begin operations and do not follow them. Start
 * with {@link io.parterre.manager.plan.decide.Planner}, which calls the others in their order.
 */
package io.parterre.manager.plan.decide;
