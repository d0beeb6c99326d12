/**
 * A replica's own rows in the store, the rows of its range, the applied position, and digests of
 * them. Waits for the disk. Package {@code replica} writes them as entries are applied. Start with
 * {@code ReplicaRows}.
 */
package io.parterre.server.rows;
