package io.parterre.deploy.operator;

import io.parterre.deploy.config.ConfigException;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.UndrainNodeRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code parterre undrain}. */
@Command(
        name = "undrain",
        description = "Takes a server that drains back into use.",
        footer = "  parterre undrain node-1")
final class UndrainCommand extends ChangeCommand {
    @Mixin private ServerChoice server;

    @Override
    ChangeResponse change(ManagerCalls calls, boolean dry) throws ConfigException {
        String node = nameOf(server);
        UndrainNodeRequest request =
                UndrainNodeRequest.newBuilder().setNodeId(node).setDryRun(dry).build();
        return calls.ask(stub -> stub.undrainNode(request));
    }
}
