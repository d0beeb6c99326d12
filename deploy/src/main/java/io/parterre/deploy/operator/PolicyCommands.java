package io.parterre.deploy.operator;

import com.google.protobuf.Message;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.GetPolicyRequest;
import io.parterre.proto.admin.PolicyStatus;
import io.parterre.proto.admin.PolicyStatusValue;
import io.parterre.proto.admin.SetPolicyRequest;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parterre policy}: what the managers aim at. */
@Command(
        name = "policy",
        description = {
            "Shows and changes what the managers aim at, while the cluster runs. The managers'",
            "settings file gives a new cluster its first values and is not asked again."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  parterre policy get",
            "  parterre what-if --policy replicas=5",
            "  parterre policy set replicas=5 movesMax=8"
        })
final class PolicyCommands implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }

    /** {@code parterre policy get}. */
    @Command(
            name = "get",
            description = "Shows the values in force, and which may be set.",
            mixinStandardHelpOptions = true,
            footerHeading = "%nExamples:%n",
            footer = {
                "  parterre policy get --settings >today.policy",
                "  parterre policy set today.policy"
            })
    static final class Get extends OperatorCommand {
        @Option(
                names = "--settings",
                description = "Prints lines of KEY=VALUE, which 'set' and 'what-if' read.")
        private boolean asSettings;

        Get(Supplier<Transport> transports) {
            super(transports);
        }

        @Override
        Message ask(ManagerCalls calls, Transport transport) {
            return calls.ask(stub -> stub.getPolicy(GetPolicyRequest.getDefaultInstance()));
        }

        @Override
        void print(Message answer, PrintWriter out) {
            PolicyStatus policy = (PolicyStatus) answer;
            if (asSettings) {
                out.println("# version " + policy.getVersion());
                policy.getValuesList()
                        .forEach(each -> out.println(each.getKey() + "=" + each.getValue()));
                return;
            }
            out.println("version " + policy.getVersion());
            TextTable table = new TextTable("KEY", "VALUE", "DEFAULT", "MAY BE", "IS");
            for (PolicyStatusValue each : policy.getValuesList()) {
                table.row(
                        each.getKey(),
                        each.getValue(),
                        each.getDefaultValue(),
                        each.getAllowed(),
                        each.getMeaning());
            }
            table.print(out);
        }
    }

    /** {@code parterre policy set}. */
    @Command(
            name = "set",
            description = {
                "Changes values; all of them or, if one may not be, none. The journal keeps who",
                "changed what."
            },
            mixinStandardHelpOptions = true,
            footerHeading = "%nKeys:%n")
    static final class Set extends ChangeCommand {
        private final Supplier<String> user;

        @Parameters(
                arity = "1..*",
                paramLabel = "KEY=VALUE|FILE",
                description = "New values, or files of such lines.")
        private List<String> settings = List.of();

        @Option(
                names = "--version-seen",
                paramLabel = "VERSION",
                description =
                        "Refuses if the policy has another version, as shown by 'policy get'.")
        private long version;

        /**
         * A command.
         *
         * @param user who asks
         */
        Set(Supplier<Transport> transports, Supplier<String> user) {
            super(transports);
            this.user = user;
        }

        @Override
        ChangeResponse change(ManagerCalls calls, boolean dry) {
            SetPolicyRequest request =
                    SetPolicyRequest.newBuilder()
                            .addAllSettings(PolicySettings.read(settings, spec().commandLine()))
                            .setVersion(version)
                            .setBy(user.get())
                            .setDryRun(dry)
                            .build();
            return calls.ask(stub -> stub.setPolicy(request));
        }
    }
}
