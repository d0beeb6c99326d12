/**
 * Limits accounts and tables to their quotas before the cluster is asked. What is left of each
 * quota is kept only here, in memory; the arithmetic is in {@code io.parterre.quota}. Runs on any
 * thread; nothing waits. Start with {@link QuotaStore}.
 */
package io.parterre.frontend.quota;
