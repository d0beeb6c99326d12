package io.parterre.deploy.operator;

import io.parterre.deploy.CommandGroup;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.GetPolicyRequest;
import io.parterre.proto.admin.PolicyStatus;
import io.parterre.proto.admin.PolicyStatusValue;
import io.parterre.proto.admin.SetPolicyRequest;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parterre policy}: shows and changes the managers' policy. */
@Command(
        name = "policy",
        description = {
            "Shows and changes what the managers aim at, while the cluster runs. The managers'",
            "settings file gives a new cluster its first values and is not asked again."
        },
        subcommands = {PolicyCommands.Get.class, PolicyCommands.Set.class},
        footer = {
            "  parterre policy get",
            "  parterre what-if --policy replicas=5",
            "  parterre policy set replicas=5 movesMax=8"
        })
final class PolicyCommands extends CommandGroup {
    /** {@code parterre policy get}. */
    @Command(
            name = "get",
            description = "Shows the values in force, and which may be set.",
            footer = {
                "  parterre policy get --settings >today.policy",
                "  parterre policy set today.policy"
            })
    static final class Get extends OperatorCommand<PolicyStatus> {
        @Option(
                names = "--settings",
                description = "Prints lines of KEY=VALUE, which 'set' and 'what-if' read.")
        private boolean asSettings;

        @Override
        PolicyStatus ask(ManagerCalls calls, Transport transport) {
            return calls.ask(stub -> stub.getPolicy(GetPolicyRequest.getDefaultInstance()));
        }

        @Override
        void print(PolicyStatus policy, PrintWriter out) {
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
            footerHeading = "%nKeys:%n")
    static final class Set extends ChangeCommand {
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

        @Override
        ChangeResponse change(ManagerCalls calls, boolean dry) {
            SetPolicyRequest request =
                    SetPolicyRequest.newBuilder()
                            .addAllSettings(PolicySettings.read(settings, spec().commandLine()))
                            .setVersion(version)
                            .setBy(Caller.name())
                            .setDryRun(dry)
                            .build();
            return calls.ask(stub -> stub.setPolicy(request));
        }
    }
}
