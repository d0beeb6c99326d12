/**
 * Holds accounts and tables to their quotas before anything is asked of the cluster. What is left
 * of each is kept here, in memory, and nowhere else; the arithmetic is {@code io.parterre.quota}'s.
 * Any thread; nothing waits. Start with {@link QuotaStore}.
 */
package io.parterre.frontend.quota;
