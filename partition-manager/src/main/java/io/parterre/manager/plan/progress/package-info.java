/**
 * The progress of the operations that the map records, and the next step of each: orders to nodes,
 * commands that end an operation, and the permission to rebuild a store. New operations are begun
 * in {@code decide}. Start with {@link io.parterre.manager.plan.progress.Orders} for nodes and
 * {@link io.parterre.manager.plan.progress.Upkeep} for the map.
 */
package io.parterre.manager.plan.progress;
