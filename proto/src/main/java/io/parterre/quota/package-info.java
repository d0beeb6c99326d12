/**
 * Quotas as values: rates, and their unused part. Pure: no clock, thread or lock; the owner of a
 * bucket supplies the time. Start with {@link TokenBucket}; {@link FairShare} is the rule by which
 * holders share a bounded memory.
 */
package io.parterre.quota;
