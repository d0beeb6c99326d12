package io.parterre.deploy.operator;

import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.DecommissionNodeRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code parterre decommission}. */
@Command(
        name = "decommission",
        description = {
            "Has a server give away all it holds and leave the cluster for good. 'parterre nodes'",
            "shows what is still to go; stop it once that is nothing."
        },
        footer = {
            "  parterre decommission node-1 --dry-run",
            "  parterre decommission node-1 --wait",
            "  parterre undrain node-1               takes it back, as long as it has not left"
        })
final class DecommissionCommand extends ChangeCommand {
    @Parameters(paramLabel = "NODE", description = "Server that shall leave.")
    private String node;

    @Mixin private WaitOptions waiting;

    @Override
    ChangeResponse change(ManagerCalls calls, boolean dry) {
        DecommissionNodeRequest request =
                DecommissionNodeRequest.newBuilder().setNodeId(node).setDryRun(dry).build();
        return calls.ask(stub -> stub.decommissionNode(request));
    }

    @Override
    void await(ManagerCalls calls) {
        if (waiting.isWanted()) {
            waitAtMost(waiting.max()).until(() -> DrainWait.ofNode(NodeText.find(calls, node)));
        }
    }
}
