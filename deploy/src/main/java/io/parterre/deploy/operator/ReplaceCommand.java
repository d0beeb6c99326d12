package io.parterre.deploy.operator;

import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.ReplaceNodeRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parterre replace}. */
@Command(
        name = "replace",
        description = {
            "Has another server get the replicas of one that lives or is dead, and decommissions that",
            "one. Replicas that the other one cannot take, as it has one of the range already, go",
            "where they suit. 'parterre nodes' shows what is still to go."
        },
        footer = {
            "  parterre replace node-1 --with node-4 --dry-run",
            "  parterre replace node-1 --with node-4 --wait",
            "  parterre undrain node-1               ends it, as long as node-1 has not left"
        })
final class ReplaceCommand extends ChangeCommand {
    @Parameters(paramLabel = "NODE", description = "Server that shall leave.")
    private String node;

    @Option(
            names = "--with",
            paramLabel = "NODE",
            required = true,
            description = "Server that gets its replicas; it is up and in use.")
    private String replacement;

    @Mixin private WaitOptions waiting;

    @Override
    ChangeResponse change(ManagerCalls calls, boolean dry) {
        ReplaceNodeRequest request =
                ReplaceNodeRequest.newBuilder()
                        .setNodeId(node)
                        .setReplacement(replacement)
                        .setDryRun(dry)
                        .build();
        return calls.ask(stub -> stub.replaceNode(request));
    }

    @Override
    void await(ManagerCalls calls) {
        waitIfWanted(waiting, () -> DrainWait.ofNode(NodeText.find(calls, node)));
    }
}
