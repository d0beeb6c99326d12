/**
 * One page of a query on one range: rows in key order, filtered and projected, within a budget.
 * Pure: rows and time come from the caller; {@code store} reads rows from disk. Start with {@link
 * io.parterre.server.query.Scan}.
 */
package io.parterre.server.query;
