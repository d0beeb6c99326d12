package io.parterre.deploy.node;

import io.grpc.ManagedChannel;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.network.Transport;
import io.parterre.endpoint.ManagerEndpoint;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Channels to the partition managers, one to each address ever told, of which there are few.
 * Thread-safe.
 */
final class ManagerChannels implements AutoCloseable {
    private final Transport transport;
    private final Map<String, ManagedChannel> open = new HashMap<>();

    private ManagerChannels(Transport transport) {
        this.transport = transport;
    }

    /**
     * Opens channels to the managers of the settings, and to others as managers tell of them; the
     * shell closes the channels.
     */
    static ManagerEndpoints open(NodeShell shell, List<HostPort> seeds) {
        return open(shell, seeds, List.of(), addresses -> {});
    }

    /**
     * Opens channels to the managers of the settings, and to others as managers tell of them; the
     * shell closes the channels.
     *
     * @param known addresses told before the restart
     * @param onLearned called when the addresses change
     */
    static ManagerEndpoints open(
            NodeShell shell,
            List<HostPort> seeds,
            List<String> known,
            Consumer<List<String>> onLearned) {
        ManagerChannels channels =
                shell.add("channels to managers", new ManagerChannels(shell.transport()));
        return new ManagerEndpoints(
                seeds.stream()
                        .map(HostPort::toString)
                        .map(address -> new ManagerEndpoint(address, channels.to(address)))
                        .toList(),
                known,
                channels::to,
                onLearned);
    }

    private synchronized ManagedChannel to(String address) {
        return open.computeIfAbsent(
                address,
                each -> transport.connect(HostPort.parse(each), PeerName.any(PeerRole.MANAGER)));
    }

    @Override
    public synchronized void close() {
        open.values().forEach(ManagedChannel::shutdownNow);
    }
}
