/**
 * The node's rows in RocksDB: data of all its replicas and each replica's own state. Knows nothing
 * of Raft, commands or requests. RocksDB's own log is off. Unflushed rows are replayed from the
 * Raft log, so rows and the applied index that covers them are always written in one batch. Start
 * with {@code ServerStore}.
 */
package io.parterre.server.store;
