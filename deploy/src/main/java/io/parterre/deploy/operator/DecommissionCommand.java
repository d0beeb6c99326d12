package io.parterre.deploy.operator;

import io.parterre.deploy.config.ConfigException;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.DecommissionNodeRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code parterre decommission}. */
@Command(
        name = "decommission",
        description = {
            "Has a server give away all it holds and leave the cluster. 'parterre nodes' shows what",
            "is still to go; stop it once that is nothing. Its data folder never returns; its name",
            "returns with an empty folder, as a new server."
        },
        footer = {
            "  parterre decommission node-1 --dry-run",
            "  parterre decommission node-1 --wait",
            "  parterre decommission --self --wait   in the server's pod or on its machine",
            "  parterre undrain node-1               takes it back, as long as it has not left"
        })
final class DecommissionCommand extends ChangeCommand {
    @Mixin private ServerChoice server;

    /** Set when the request is sent. */
    private String node;

    @Mixin private WaitOptions waiting;

    @Override
    ChangeResponse change(ManagerCalls calls, boolean dry) throws ConfigException {
        node = nameOf(server);
        DecommissionNodeRequest request =
                DecommissionNodeRequest.newBuilder().setNodeId(node).setDryRun(dry).build();
        return calls.ask(stub -> stub.decommissionNode(request));
    }

    @Override
    void await(ManagerCalls calls) {
        waitIfWanted(waiting, () -> DrainWait.ofNode(NodeText.find(calls, node)));
    }
}
