/**
 * The node's rows in RocksDB: data of all its replicas and what each replica knows of itself. Knows
 * nothing of Raft, commands or requests. RocksDB's own log is off: what is not flushed yet is
 * replayed from the Raft log, so rows and the applied index that covers them are always written in
 * one batch. Start with {@code ServerStore}.
 */
package io.parterre.server.store;
