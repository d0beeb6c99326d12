/**
 * What a query takes from one range: rows in key order, filtered and projected, within a budget.
 * Pure: rows and time come from outside. Reading them from disk is the business of {@code store}.
 * Start with {@link io.parterre.server.query.Scan}.
 */
package io.parterre.server.query;
