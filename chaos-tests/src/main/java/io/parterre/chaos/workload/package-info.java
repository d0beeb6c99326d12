/**
 * Writers that remember what they were told, and the check of a server against their memory. Each
 * writer owns its partitions, so what it may find there follows from its own calls alone. {@link
 * Ledger} and {@link WritePlan} are pure; {@link Writers} and {@link Verification} make the calls.
 * {@link Scans} read while they write, and hold what they see against the writers' {@link Roster}.
 * Start with {@link Writers}.
 */
package io.parterre.chaos.workload;
