/**
 * Copies of replicas: an outgoing copy for another node, and an incoming copy that lies beside the
 * store until it replaces the rows. Waits for the disk. The package {@code node} decides when to
 * request a copy, and handles the effect of its installation on other replicas. Start with {@code
 * ReplicaCopy} and {@code StagedCopy}.
 */
package io.parterre.server.copy;
