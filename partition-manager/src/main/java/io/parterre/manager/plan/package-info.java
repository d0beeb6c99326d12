/**
 * What the leading manager decides, as pure functions of the map and of what it has heard: nothing
 * here proposes, sends, waits or asks for the time. {@link io.parterre.manager.plan.Planner} says
 * what shall change, {@link io.parterre.manager.plan.MoveProgress} how far a change is, {@link
 * io.parterre.manager.plan.Orders} what a node has to do about it. All of them read one {@link
 * io.parterre.manager.plan.ClusterView}; start there.
 *
 * <p>Invariant: no decision and no order leaves a range without a majority of healthy members, as
 * far as reports tell.
 */
package io.parterre.manager.plan;
