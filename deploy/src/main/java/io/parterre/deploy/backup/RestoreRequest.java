package io.parterre.deploy.backup;

import java.util.Optional;

/**
 * What of a backup is restored, and as what.
 *
 * @param account of the backup; empty: all, or the only one that has the table
 * @param table empty: all tables, and the settings of services
 * @param newName of the table; empty: its own
 * @param intoAccount of the cluster; empty: the one of the same name
 */
public record RestoreRequest(
        Optional<String> account,
        Optional<String> table,
        Optional<String> newName,
        Optional<String> intoAccount) {
    /** All of it. */
    public static final RestoreRequest ALL =
            new RestoreRequest(
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
