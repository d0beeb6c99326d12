/**
 * What a node keeps on its disk about replicas that must not go on: marks of entries that could not
 * be applied, of those that were being applied when the process ended, and logs that are damaged.
 * Waits for the disk. Taking a replica out of its group is the business of {@code node}. Start with
 * {@code Quarantines}.
 */
package io.parterre.server.quarantine;
