package io.parterre.deploy.node;

import io.grpc.ManagedChannel;
import io.parterre.deploy.config.HostPort;
import java.util.List;

/** The way to one of the partition managers. */
record ManagerChannel(HostPort address, ManagedChannel channel) {
    /** Channels to all of them, which the shell closes. */
    static List<ManagerChannel> open(NodeShell shell, List<HostPort> managers) {
        return managers.stream()
                .map(
                        address -> {
                            ManagedChannel channel = shell.transport().connect(address);
                            shell.add("channel to manager " + address, channel::shutdownNow);
                            return new ManagerChannel(address, channel);
                        })
                .toList();
    }
}
