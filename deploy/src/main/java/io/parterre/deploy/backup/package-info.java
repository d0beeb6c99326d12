/**
 * Backups of a running cluster: a repository of sealed objects in a folder or a bucket, and the
 * code that writes, verifies and restores backups. Everything runs in an operator's process, which
 * keeps no state of its own: a backup that was begun continues from the contents of the repository.
 * Start with {@code BackupRun}, then {@code Repository}.
 *
 * <p>Invariant: a manifest is written last and names existing objects by their content, so a backup
 * is complete or does not exist.
 */
package io.parterre.deploy.backup;
