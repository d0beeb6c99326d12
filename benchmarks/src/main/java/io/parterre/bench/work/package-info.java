/**
 * The requests of a run: point reads, inserts, merges, batches, pages, scans. Each is a {@link
 * io.parterre.bench.load.Work} over the same entities of 1,024 bytes, see {@link
 * io.parterre.bench.work.SampleEntity}; one thread calls it. No sockets here. Start with {@link
 * io.parterre.bench.work.Workload}.
 */
package io.parterre.bench.work;
