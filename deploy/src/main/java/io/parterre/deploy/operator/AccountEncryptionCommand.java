package io.parterre.deploy.operator;

import io.parterre.deploy.ExitCode;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ListAccountsRequest;
import io.parterre.proto.admin.ListAccountsResponse;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code parterre account encryption}. */
@Command(
        name = "encryption",
        description = {
            "Shows which keys encrypt the accounts' keys in the managers' folders, and what is in",
            "the way of the one that the leading manager prefers: the first of its settings. Ends",
            "with code 9 until that one encrypts all. Then no account needs the others any more,",
            "and they may leave the settings."
        },
        footer = {
            "  parterre account encryption",
            "  parterre account encryption --wait --wait-max 1m"
        })
final class AccountEncryptionCommand extends OperatorCommand<ListAccountsResponse> {
    private static final String CLEAR = "in clear";

    @Mixin private WaitOptions wait;

    @Override
    ListAccountsResponse ask(ManagerCalls calls, Transport transport) {
        waitIfWanted(wait, () -> left(accounts(calls)));
        return accounts(calls);
    }

    private static ListAccountsResponse accounts(ManagerCalls calls) {
        return calls.ask(stub -> stub.listAccounts(ListAccountsRequest.getDefaultInstance()));
    }

    /** Returns what must still be done; empty if nothing. */
    private static Optional<String> left(ListAccountsResponse answer) {
        String preferred = answer.getEncryptionKeyId();
        if (preferred.isEmpty()) {
            throw new OperatorException(
                    ExitCode.REFUSED,
                    "the leading manager has no key to encrypt with (expected: secrets.keyFile or"
                            + " secrets.keyCommand in the settings of all managers)");
        }
        long count =
                answer.getKeyStorageList().stream()
                        .filter(
                                account ->
                                        !account.getEncryptionKeyIdsList().stream()
                                                .allMatch(preferred::equals))
                        .count();
        return count == 0
                ? Optional.empty()
                : Optional.of(
                        count
                                + " accounts are to be encrypted with key "
                                + preferred
                                + hindrance(answer));
    }

    private static String hindrance(ListAccountsResponse answer) {
        String why = answer.getEncryptionHindrance();
        return why.isEmpty() ? "" : ": " + why;
    }

    @Override
    ExitCode verdict(ListAccountsResponse answer) {
        boolean done = answer.getEncryptionKeyId().isEmpty() || left(answer).isEmpty();
        return done ? ExitCode.OK : ExitCode.NOT_YET;
    }

    @Override
    void print(ListAccountsResponse answer, PrintWriter out) {
        TextTable table = new TextTable("ACCOUNT", "KEYS");
        for (int i = 0; i < answer.getAccountsCount(); i++) {
            // A manager of an earlier release tells no key ids, and encrypts nothing.
            List<String> ids =
                    i < answer.getKeyStorageCount()
                            ? answer.getKeyStorage(i).getEncryptionKeyIdsList()
                            : List.of("");
            table.row(answer.getAccounts(i).getName(), words(ids));
        }
        table.print(out);
        out.println(
                answer.getEncryptionKeyId().isEmpty()
                        ? "the leading manager has no key to encrypt with"
                        : left(answer).orElse("encrypted with key " + answer.getEncryptionKeyId()));
    }

    private static String words(List<String> ids) {
        return ids.stream()
                .map(id -> id.isEmpty() ? CLEAR : id)
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
