package io.parterre.deploy.backup;

import io.parterre.entity.Ticks;
import io.parterre.proto.backup.RestoreAsked;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is restored from a backup, and under which names.
 *
 * @param account account in the backup; empty: all, or the only one that has the table
 * @param table empty: all tables, and the settings of services
 * @param newName new name of the table; empty: its own
 * @param intoAccount account of the cluster; empty: the one of the same name
 * @param toTicks time to restore to; empty: the time of the backup
 */
public record RestoreRequest(
        Optional<String> account,
        Optional<String> table,
        Optional<String> newName,
        Optional<String> intoAccount,
        OptionalLong toTicks) {
    /** Restores everything. */
    public static final RestoreRequest ALL =
            new RestoreRequest(
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Creates a request to restore from a backup unchanged. */
    public RestoreRequest(
            Optional<String> account,
            Optional<String> table,
            Optional<String> newName,
            Optional<String> intoAccount) {
        this(account, table, newName, intoAccount, OptionalLong.empty());
    }

    /** Returns the same request for another time. */
    public RestoreRequest to(long ticks) {
        return new RestoreRequest(account, table, newName, intoAccount, OptionalLong.of(ticks));
    }

    RestoreAsked toProto() {
        return RestoreAsked.newBuilder()
                .setAccount(account.orElse(""))
                .setTable(table.orElse(""))
                .setNewName(newName.orElse(""))
                .setIntoAccount(intoAccount.orElse(""))
                .setToTicks(toTicks.orElse(0))
                .build();
    }

    /** Returns the command line options of this request. */
    static String options(RestoreAsked asked) {
        String options =
                option(" --account ", asked.getAccount())
                        + option(" --table ", asked.getTable())
                        + option(" --as ", asked.getNewName())
                        + option(" --into-account ", asked.getIntoAccount())
                        + option(
                                " --to ",
                                asked.getToTicks() == 0 ? "" : Ticks.format(asked.getToTicks()));
        return options.isEmpty() ? "no options" : options.strip();
    }

    private static String option(String name, String value) {
        return value.isEmpty() ? "" : name + value;
    }
}
