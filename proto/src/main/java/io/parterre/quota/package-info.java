/**
 * Quotas as values: what may be asked in a time, and how much of it is left. Pure: no clock, thread
 * or lock; the keeper of a bucket tells the time. Start with {@link TokenBucket}; {@link FairShare}
 * is the rule by which holders share a bounded memory.
 */
package io.parterre.quota;
