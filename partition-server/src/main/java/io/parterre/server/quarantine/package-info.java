/**
 * A node's files about replicas that must not go on: marks of entries that could not be applied,
 * marks of entries that were being applied when the process ended, and damaged logs. Waits for the
 * disk. Package {@code node} takes replicas out of their groups. Start with {@code Quarantines}.
 */
package io.parterre.server.quarantine;
