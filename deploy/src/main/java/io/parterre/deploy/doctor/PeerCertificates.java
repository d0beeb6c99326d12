package io.parterre.deploy.doctor;

import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.tls.ClusterTls;
import io.parterre.proto.admin.ListNodesResponse;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * Checks the certificates that managers and servers present, to find certificates on other machines
 * that end soon, or belong to another role. Asks one peer after the other, each within a bounded
 * time.
 *
 * @param tls the certificate to connect with
 * @param timeout limit for a connection, and for each answer
 */
public record PeerCertificates(ClusterTls tls, Duration timeout) {
    /** Bounds the time, because a cluster may have hundreds of servers. */
    private static final int PEERS_MAX = 100;

    private record Peer(String name, HostPort address, PeerName expected) {}

    /** Checks managers, and servers that are up. */
    public List<Finding> look(List<HostPort> managers, ListNodesResponse nodes, Instant now) {
        List<Peer> peers = new ArrayList<>();
        for (HostPort manager : managers) {
            peers.add(new Peer("manager at " + manager, manager, PeerName.any(PeerRole.MANAGER)));
        }
        for (NodeStatus node : nodes.getNodesList()) {
            String id = node.getNode().getNodeId();
            peers.add(
                    new Peer(
                            "server " + id,
                            HostPort.parse(node.getNode().getServiceAddress()),
                            PeerName.of(PeerRole.SERVER, id)));
        }
        return peers.stream().limit(PEERS_MAX).map(peer -> look(peer, now)).toList();
    }

    private Finding look(Peer peer, Instant now) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(peer.address().host(), peer.address().port()),
                    (int) timeout.toMillis());
            socket.setSoTimeout((int) timeout.toMillis());
            return shown(peer, socket, now);
        } catch (SSLException refused) {
            return Finding.problem(
                    CertificateCheck.SUBJECT,
                    peer.name() + ": no connection by certificates: " + reason(refused));
        } catch (IOException silent) {
            return Finding.warning(
                    CertificateCheck.SUBJECT,
                    peer.name()
                            + " at "
                            + peer.address()
                            + " does not answer: "
                            + silent.getMessage());
        }
    }

    private Finding shown(Peer peer, Socket socket, Instant now) throws IOException {
        X509Certificate certificate =
                TlsHandshake.peer(
                        tls.connectingTo(peer.expected()).get(),
                        socket,
                        peer.address().host(),
                        peer.address().port());
        return CertificateCheck.judge(
                "that of " + peer.name(), certificate, "other processes", now);
    }

    /** Returns the innermost cause's message, which is the refusing end's own. */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }
}
