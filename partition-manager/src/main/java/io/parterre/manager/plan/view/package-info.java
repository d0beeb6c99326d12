/**
 * What the leading manager knows at one moment: the map, the latest report of each node, who leads
 * which range, and what follows from them about the health, the load and the clock of nodes and
 * ranges. Nothing is decided here. Values of one round, for one thread, unless a class says
 * otherwise. Start with {@link io.parterre.manager.plan.view.ClusterView}.
 */
package io.parterre.manager.plan.view;
