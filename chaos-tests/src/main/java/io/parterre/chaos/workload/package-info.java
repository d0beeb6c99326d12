/**
 * Writers that record the answers that they get, and the check of a server against these records.
 * Each writer owns its partitions, so its own calls alone determine what may be found there. {@link
 * Ledger} and {@link WritePlan} are pure; {@link Writers} and {@link Verification} make the calls.
 * {@link Scans} read at the same time, and check what they see against the writers' {@link Roster}.
 * Start with {@link Writers}.
 */
package io.parterre.chaos.workload;
