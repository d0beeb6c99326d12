/**
 * What is measured: processes started on free ports of the loopback and folders of their own, and
 * ended by their ids. Also what the operating system knows of them: memory, processor time, bytes
 * on disk. Start with {@link io.parterre.bench.subject.Targets}.
 */
package io.parterre.bench.subject;
