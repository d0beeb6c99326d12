package io.parterre.deploy.backup;

import io.parterre.frontend.table.TableNames;
import io.parterre.key.AccountId;
import io.parterre.key.ObjectId;
import io.parterre.proto.backup.BackupAccount;
import io.parterre.proto.backup.BackupManifest;
import io.parterre.proto.backup.BackupTable;
import io.parterre.proto.backup.RestoredTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Plans which tables a restore creates. Stateless; thread-safe. */
final class RestorePlanner {
    private RestorePlanner() {}

    /**
     * Returns the tables to create.
     *
     * @param accounts accounts of the cluster, by name
     * @param taken accounts and lower-case names of the cluster's tables
     * @param newId returns an id that no table ever had
     * @throws BackupException if the backup has no such table, the new name is impossible, or the
     *     cluster lacks an account or has a table of this name
     */
    static List<RestoredTable> plan(
            BackupManifest manifest,
            RestoreRequest request,
            Map<String, AccountId> accounts,
            Set<TakenName> taken,
            Supplier<ObjectId> newId)
            throws BackupException {
        if (!request.newName().map(TableNames::isPossible).orElse(true)) {
            throw BackupException.refused(
                    "--as: '"
                            + request.newName().get()
                            + "' (expected: a letter, then letters and digits, "
                            + TableNames.CHARS_MIN
                            + " to "
                            + TableNames.CHARS_MAX
                            + " in all, not 'tables')");
        }
        List<BackupTable> chosen = chosen(manifest, request);
        Map<Long, String> names = names(manifest);
        requireAccounts(chosen, request, names, accounts);
        List<RestoredTable> tables = new ArrayList<>();
        Set<String> conflicts = new TreeSet<>();
        for (BackupTable each : chosen) {
            AccountId into = accounts.get(into(each, request, names));
            String name = request.newName().orElse(each.getName());
            if (taken.contains(TakenName.of(into, name))) {
                conflicts.add(name);
                continue;
            }
            tables.add(
                    RestoredTable.newBuilder()
                            .setAccountId(each.getAccountId())
                            .setTableId(each.getTableId())
                            .setNewAccountId(into.value())
                            .setNewName(name)
                            .build());
        }
        if (!conflicts.isEmpty()) {
            throw BackupException.refused(
                    "the cluster has these tables: "
                            + String.join(", ", conflicts)
                            + " (expected: none of them; --table NAME --as NEW restores one"
                            + " under another name)");
        }
        return tables.stream()
                .map(each -> each.toBuilder().setNewTableId(newId.get().value()).build())
                .toList();
    }

    static Map<Long, String> names(BackupManifest manifest) {
        Map<Long, String> names = new HashMap<>();
        for (BackupAccount each : manifest.getAccountsList()) {
            names.put(each.getAccountId(), each.getName());
        }
        return names;
    }

    static String into(BackupTable table, RestoreRequest request, Map<Long, String> names) {
        return request.intoAccount().orElseGet(() -> names.get(table.getAccountId()));
    }

    private static List<BackupTable> chosen(BackupManifest manifest, RestoreRequest request)
            throws BackupException {
        Map<Long, String> names = names(manifest);
        List<BackupTable> chosen =
                manifest.getTablesList().stream()
                        .filter(
                                each ->
                                        request.account()
                                                .map(names.get(each.getAccountId())::equals)
                                                .orElse(true))
                        .filter(
                                each ->
                                        request.table()
                                                .map(each.getName()::equalsIgnoreCase)
                                                .orElse(true))
                        .toList();
        if (request.table().isPresent() && chosen.size() != 1) {
            throw BackupException.refused(
                    "the backup has "
                            + chosen.size()
                            + " tables "
                            + request.table().get()
                            + " (expected: one; --account NAME says whose)");
        }
        return chosen;
    }

    private static void requireAccounts(
            List<BackupTable> tables,
            RestoreRequest request,
            Map<Long, String> names,
            Map<String, AccountId> accounts)
            throws BackupException {
        Set<String> missing = new TreeSet<>();
        for (BackupTable each : tables) {
            String into = into(each, request, names);
            if (!accounts.containsKey(into)) {
                missing.add(into);
            }
        }
        if (!missing.isEmpty()) {
            throw BackupException.refused(
                    "the cluster lacks these accounts: "
                            + String.join(", ", missing)
                            + " (a backup has no keys: 'parterre account create NAME --key KEY'"
                            + " makes them, or the managers' settings)");
        }
    }
}
