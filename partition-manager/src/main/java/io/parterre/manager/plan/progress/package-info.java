/**
 * How far the operations are that the map records, and what is to be done next about each: the
 * orders that a node gets, the commands that end an operation, and who may rebuild a store. A new
 * operation is begun in {@code decide}. Start with {@link io.parterre.manager.plan.progress.Orders}
 * for nodes and {@link io.parterre.manager.plan.progress.Upkeep} for the map.
 */
package io.parterre.manager.plan.progress;
