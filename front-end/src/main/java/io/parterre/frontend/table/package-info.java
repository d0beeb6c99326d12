/**
 * The table protocol as pure functions: addresses, options, headers, entities in and out as JSON,
 * filters and what they say about keys, batches, error bodies. No I/O, clock, lock or chance; every
 * malformed input ends in a {@link io.parterre.error.StorageException} with the service's own code
 * and text. Start with {@link io.parterre.frontend.table.ResourcePath} for what is asked, {@link
 * io.parterre.frontend.table.EntityReader} and {@link io.parterre.frontend.table.EntityJsonWriter}
 * for bodies, {@link io.parterre.frontend.table.QueryPlanner} for queries.
 *
 * <p>The rules are those of docs/protocol.md.
 */
package io.parterre.frontend.table;
