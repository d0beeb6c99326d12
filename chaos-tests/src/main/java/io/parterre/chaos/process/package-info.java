/**
 * Servers as an operator sees them: processes of the built distribution that are started, asked for
 * readiness, signalled and counted. Nothing here knows what a server answers; that is the business
 * of {@code client}. Start with {@link ServerProcess}.
 */
package io.parterre.chaos.process;
