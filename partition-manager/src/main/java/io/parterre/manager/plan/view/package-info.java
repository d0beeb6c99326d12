/**
 * What the leading manager knows at one moment: the map, the latest report of each node, who leads
 * which range, and the health, the load and the clocks of nodes and ranges that follow. Nothing is
 * decided here. Values are for one round and not thread-safe, unless a class says otherwise. Start
 * with {@link io.parterre.manager.plan.view.ClusterView}.
 */
package io.parterre.manager.plan.view;
