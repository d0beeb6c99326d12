/**
 * Copies of replicas: one that is made for another node, and one that comes in and lies beside the
 * store until it replaces the rows. Waits for the disk. When a copy is asked for, and what its
 * installation does to the node's other replicas, is the business of {@code node}. Start with
 * {@code ReplicaCopy} and {@code StagedCopy}.
 */
package io.parterre.server.copy;
