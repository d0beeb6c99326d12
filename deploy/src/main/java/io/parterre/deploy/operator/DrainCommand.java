package io.parterre.deploy.operator;

import io.parterre.deploy.config.ConfigException;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.DrainNodeRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parterre drain}. */
@Command(
        name = "drain",
        description = {
            "Moves leadership off a server, and with --replicas its replicas, and gives it no",
            "new ones. 'parterre nodes' shows what is still to go, and 'parterre undrain' ends it."
        },
        footer = {
            "  parterre drain node-1                 before it is restarted",
            "  parterre drain node-1 --replicas      before it is gone for long",
            "  parterre drain node-1 --replicas --wait --wait-max 2h",
            "  parterre drain --self --config /etc/parterre/parterre.yaml --data-dir DIR"
        })
final class DrainCommand extends ChangeCommand {
    @Mixin private ServerChoice server;

    /** Set when the request is sent. */
    private String node;

    @Option(names = "--replicas", description = "Its replicas go as well.")
    private boolean replicas;

    @Mixin private WaitOptions waiting;

    @Override
    ChangeResponse change(ManagerCalls calls, boolean dry) throws ConfigException {
        node = nameOf(server);
        DrainNodeRequest request =
                DrainNodeRequest.newBuilder()
                        .setNodeId(node)
                        .setReplicas(replicas)
                        .setDryRun(dry)
                        .build();
        return calls.ask(stub -> stub.drainNode(request));
    }

    @Override
    void await(ManagerCalls calls) {
        waitIfWanted(
                waiting,
                () ->
                        replicas
                                ? DrainWait.ofReplicas(NodeText.require(calls, node))
                                : DrainWait.ofLeads(NodeText.require(calls, node)));
    }
}
