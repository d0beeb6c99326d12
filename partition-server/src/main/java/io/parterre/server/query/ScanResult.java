package io.parterre.server.query;

import io.parterre.key.Key;
import java.util.Optional;

/**
 * A page.
 *
 * @param rows by {@code EntityPage}; not to be changed
 * @param resumeKey the next row that matches, or the row at which the budget ran out; empty:
 *     nothing more in the interval matches
 */
public record ScanResult(byte[] rows, int rowCount, int examinedRows, Optional<Key> resumeKey) {}
