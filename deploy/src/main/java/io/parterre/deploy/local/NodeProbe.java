package io.parterre.deploy.local;

import io.parterre.deploy.admin.AdminProbe;
import java.time.Duration;
import java.util.Optional;

/** Asks the port for operators of a node of the local cluster. Stateless. */
final class NodeProbe {
    /** Result of {@link #readiness} for a node that serves. */
    static final String READY = "ready";

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private NodeProbe() {}

    /** Asks the node; returns empty if it does not listen. */
    static Optional<AdminProbe> of(LocalNode node, String path) {
        return AdminProbe.of(node.address("admin"), path, PATIENCE);
    }

    /** Returns {@link #READY}, or what the node waits for. */
    static String readiness(LocalNode node) {
        return of(node, AdminProbe.READINESS)
                .map(answer -> answer.isOk() ? READY : ("not ready: " + answer.text()).strip())
                .orElseGet(() -> "not started yet: nobody listens on " + node.address("admin"));
    }
}
