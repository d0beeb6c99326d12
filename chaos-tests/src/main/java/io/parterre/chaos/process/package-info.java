/**
 * Servers as an operator sees them: processes of the built distribution that are started, asked for
 * readiness, signalled and counted. Nothing here knows a server's answers; {@code client} does.
 * Start with {@link ServerProcess}.
 */
package io.parterre.chaos.process;
