package io.parterre.deploy.operator;

import com.google.protobuf.ByteString;
import io.parterre.deploy.CommandGroup;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.AccountKeys;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.CreateAccountRequest;
import io.parterre.proto.admin.ListAccountsRequest;
import io.parterre.proto.admin.ListAccountsResponse;
import io.parterre.proto.admin.RotateKeyRequest;
import io.parterre.proto.admin.SuspendAccountRequest;
import io.parterre.proto.manager.Account;
import java.io.PrintWriter;
import java.util.Base64;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code parterre account}. */
@Command(
        name = "account",
        description = {
            "Makes, lists and suspends accounts, and changes their keys. Where accounts are",
            "configured with the managers, that is where they are changed."
        },
        subcommands = {
            AccountCommands.Create.class,
            AccountCommands.ListAll.class,
            AccountCommands.RotateKey.class,
            AccountEncryptionCommand.class,
            AccountCommands.Suspend.class,
            AccountCommands.Resume.class
        },
        footer = {
            "  parterre account create orders",
            "  parterre account list",
            "  parterre account rotate-key orders 2"
        })
final class AccountCommands extends CommandGroup {
    /** A command whose answer contains an account's keys. */
    private abstract static class WithKeys extends OperatorCommand<AccountKeys> {
        @Option(names = "--dry-run", description = "Looks whether it could be done, and does not.")
        private boolean dryRun;

        abstract AccountKeys keys(ManagerCalls calls, boolean dry);

        @Override
        AccountKeys ask(ManagerCalls calls, Transport transport) {
            AccountKeys keys = keys(calls, dryRun);
            return dryRun
                    ? keys
                    : keys.toBuilder()
                            .addAllUnheardFrontEnds(
                                    FrontEndsBehind.after(calls, keys.getMapVersion(), err()))
                            .build();
        }

        /**
         * Prints keys. This is the only place that shows keys, to the operator who has just had
         * them made.
         */
        @Override
        void print(AccountKeys keys, PrintWriter out) {
            out.println((dryRun ? "could be done: account " : "account ") + keys.getName());
            for (int i = 0; i < keys.getKeysCount(); i++) {
                byte[] key = keys.getKeys(i).toByteArray();
                out.println(
                        "key "
                                + (i + 1)
                                + "   "
                                + (key.length == 0
                                        ? "cannot be decrypted: rotate it as well"
                                        : Base64.getEncoder().encodeToString(key)));
            }
            FrontEndsBehind.print(keys.getUnheardFrontEndsList(), out);
        }
    }

    /** {@code parterre account create}. */
    @Command(
            name = "create",
            description = "Makes an account and prints its key.",
            footer = "  parterre account create orders --manager 10.0.0.1:10021")
    static final class Create extends WithKeys {
        @Parameters(paramLabel = "NAME", description = "3 to 24 lower-case letters and digits.")
        private String name;

        @Option(
                names = "--key",
                paramLabel = "BASE64",
                description = "Its key. Default: the managers make one.")
        private String key = "";

        @Override
        AccountKeys keys(ManagerCalls calls, boolean dry) {
            CreateAccountRequest request =
                    CreateAccountRequest.newBuilder()
                            .setName(name)
                            .setKey(keyBytes())
                            .setDryRun(dry)
                            .build();
            return calls.ask(stub -> stub.createAccount(request));
        }

        private ByteString keyBytes() {
            try {
                return ByteString.copyFrom(Base64.getDecoder().decode(key));
            } catch (IllegalArgumentException e) {
                // The cause would quote the key.
                throw new ParameterException(spec().commandLine(), "--key: (expected: Base64)");
            }
        }
    }

    /** {@code parterre account list}. */
    @Command(
            name = "list",
            description = "Shows the accounts, without their keys.",
            footer = "  parterre account list --json")
    static final class ListAll extends OperatorCommand<ListAccountsResponse> {
        @Override
        ListAccountsResponse ask(ManagerCalls calls, Transport transport) {
            return calls.ask(stub -> stub.listAccounts(ListAccountsRequest.getDefaultInstance()));
        }

        @Override
        void print(ListAccountsResponse answer, PrintWriter out) {
            TextTable table = new TextTable("ACCOUNT", "ID", "STATE");
            for (Account each : answer.getAccountsList()) {
                table.row(
                        each.getName(),
                        each.getAccountId(),
                        each.getSuspended() ? "suspended" : "in use");
            }
            table.print(out);
        }
    }

    /** {@code parterre account rotate-key}. */
    @Command(
            name = "rotate-key",
            description = {
                "Replaces one of an account's two keys by a new one, and prints both; clients",
                "that use the other key go on. Waits up to 5 s for the front ends to take the new",
                "keys, and names those that have not: there the old key is good until they hear a",
                "manager, or for frontEnd.accounts.ageMax."
            },
            footer = "  parterre account rotate-key orders 2")
    static final class RotateKey extends WithKeys {
        @Parameters(index = "0", paramLabel = "NAME", description = "Name of the account.")
        private String name;

        @Parameters(
                index = "1",
                paramLabel = "KEY",
                description =
                        "Which of its keys is replaced: 1 or 2. 2 is made if it has only one.")
        private int number;

        @Override
        AccountKeys keys(ManagerCalls calls, boolean dry) {
            if (number != 1 && number != 2) {
                throw new ParameterException(
                        spec().commandLine(), "key: " + number + " (expected: 1 or 2)");
            }
            RotateKeyRequest request =
                    RotateKeyRequest.newBuilder()
                            .setName(name)
                            .setKeyNumber(number)
                            .setDryRun(dry)
                            .build();
            return calls.ask(stub -> stub.rotateKey(request));
        }
    }

    /** {@code parterre account suspend} and {@code resume}. */
    private abstract static class Suspension extends ChangeCommand {
        private final boolean suspended;

        @Parameters(paramLabel = "NAME", description = "Name of the account.")
        private String name;

        Suspension(boolean suspended) {
            this.suspended = suspended;
        }

        @Override
        ChangeResponse change(ManagerCalls calls, boolean dry) {
            SuspendAccountRequest request =
                    SuspendAccountRequest.newBuilder()
                            .setName(name)
                            .setSuspended(suspended)
                            .setDryRun(dry)
                            .build();
            ChangeResponse change = calls.ask(stub -> stub.suspendAccount(request));
            return dry
                    ? change
                    : change.toBuilder()
                            .addAllUnheardFrontEnds(
                                    FrontEndsBehind.after(calls, change.getMapVersion(), err()))
                            .build();
        }

        @Override
        void print(ChangeResponse answer, PrintWriter out) {
            super.print(answer, out);
            FrontEndsBehind.print(answer.getUnheardFrontEndsList(), out);
        }
    }

    /** {@code parterre account suspend}. */
    @Command(
            name = "suspend",
            description = {
                "Lets nobody use an account; what it owns stays. Waits up to 5 s for the front",
                "ends to hear of it, and names those that have not: there the account is of use",
                "until they hear a manager, or for frontEnd.accounts.ageMax."
            },
            footer = "  parterre account suspend orders --dry-run")
    static final class Suspend extends Suspension {
        Suspend() {
            super(true);
        }
    }

    /** {@code parterre account resume}. */
    @Command(
            name = "resume",
            description = "Lets a suspended account be used again.",
            footer = "  parterre account resume orders")
    static final class Resume extends Suspension {
        Resume() {
            super(false);
        }
    }
}
