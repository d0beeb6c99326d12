package io.parterre.deploy.backup;

import io.parterre.proto.backup.RestoreAsked;
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

    RestoreAsked toProto() {
        return RestoreAsked.newBuilder()
                .setAccount(account.orElse(""))
                .setTable(table.orElse(""))
                .setNewName(newName.orElse(""))
                .setIntoAccount(intoAccount.orElse(""))
                .build();
    }

    /** The options of the command that asks so. */
    static String options(RestoreAsked asked) {
        String options =
                option(" --account ", asked.getAccount())
                        + option(" --table ", asked.getTable())
                        + option(" --as ", asked.getNewName())
                        + option(" --into-account ", asked.getIntoAccount());
        return options.isEmpty() ? "no options" : options.strip();
    }

    private static String option(String name, String value) {
        return value.isEmpty() ? "" : name + value;
    }
}
