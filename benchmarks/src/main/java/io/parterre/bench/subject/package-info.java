/**
 * The measured systems: processes started on free loopback ports with their own folders, and ended
 * by their pids. Also their resources as the operating system reports them: memory, processor time,
 * bytes on disk. Start with {@link io.parterre.bench.subject.Targets}.
 */
package io.parterre.bench.subject;
