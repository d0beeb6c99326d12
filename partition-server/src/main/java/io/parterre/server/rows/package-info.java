/**
 * A replica's own rows in the store, the rows of its range, how far its log is applied in them, and
 * digests of them. Waits for the disk. Writing them as entries are applied is the business of
 * {@code replica}. Start with {@code ReplicaRows}.
 */
package io.parterre.server.rows;
