package io.parterre.server.store;

/**
 * The node can no longer keep what it promised: a disk error, a broken invariant, or data of
 * another cluster. From then on it acknowledges nothing; the process should exit or be restarted.
 *
 * @param operation what was being done, for the log
 */
public record StoreFailure(String operation, Throwable cause) {}
