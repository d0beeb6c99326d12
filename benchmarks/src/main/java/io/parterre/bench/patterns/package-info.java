/**
 * Patterns of the table design guide, compared with what they replace: each pair on the same
 * server, one after the other. Start with one of the pairs: {@link
 * io.parterre.bench.patterns.AppendPattern}, {@link io.parterre.bench.patterns.DeletePattern},
 * {@link io.parterre.bench.patterns.TailPattern}.
 */
package io.parterre.bench.patterns;
