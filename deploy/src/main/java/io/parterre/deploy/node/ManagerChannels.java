package io.parterre.deploy.node;

import io.grpc.ManagedChannel;
import io.parterre.deploy.config.HostPort;
import io.parterre.endpoint.ManagerEndpoint;
import java.util.List;

/** The ways to the partition managers. */
final class ManagerChannels {
    private ManagerChannels() {}

    /** Channels to all of them, which the shell closes. */
    static List<ManagerEndpoint> open(NodeShell shell, List<HostPort> managers) {
        return managers.stream().map(address -> open(shell, address)).toList();
    }

    private static ManagerEndpoint open(NodeShell shell, HostPort address) {
        ManagedChannel channel = shell.transport().connect(address);
        shell.add("channel to manager " + address, channel::shutdownNow);
        return new ManagerEndpoint(address.toString(), channel);
    }
}
