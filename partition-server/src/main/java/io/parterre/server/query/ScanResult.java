package io.parterre.server.query;

import io.parterre.key.Key;
import java.util.Optional;

/**
 * One page of a scan.
 *
 * @param rows rows in the format of {@code EntityPage}; not to be changed
 * @param resumeKey key of the next matching row, or of the row at which the budget ran out; empty:
 *     nothing more in the interval matches
 */
public record ScanResult(byte[] rows, int rowCount, int examinedRows, Optional<Key> resumeKey) {}
