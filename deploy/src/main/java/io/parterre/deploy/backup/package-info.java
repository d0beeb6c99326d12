/**
 * Backups of a running cluster: a repository of sealed objects in a folder or a bucket, what
 * writes, checks and restores one. All of it runs in an operator's process, which keeps nothing of
 * its own: a backup that was begun is gone on with from what the repository holds. Start with
 * {@code BackupRun}, then {@code Repository}.
 *
 * <p>Invariant: a manifest is written last and names objects that are there by their content, so a
 * backup is whole or none.
 */
package io.parterre.deploy.backup;
