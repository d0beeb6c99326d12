/**
 * The table protocol as pure functions: addresses, options, headers, entities in and out as JSON,
 * filters and the keys that can match them, batches, error bodies. No I/O, clock, lock or
 * randomness; every malformed input ends in a {@link io.parterre.error.StorageException} with the
 * service's own code and text. Start with {@link io.parterre.frontend.table.ResourcePath} for
 * addresses, {@link io.parterre.frontend.table.EntityReader} and {@link
 * io.parterre.frontend.table.EntityJsonWriter} for bodies, {@link
 * io.parterre.frontend.table.QueryPlanner} for queries.
 *
 * <p>The rules are those of docs/protocol.md.
 */
package io.parterre.frontend.table;
