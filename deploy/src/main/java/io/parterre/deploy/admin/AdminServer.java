package io.parterre.deploy.admin;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.parterre.deploy.config.AdminSection;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.http.EventLoops;
import io.parterre.frontend.http.HttpRefusal;
import io.parterre.frontend.http.HttpServer;
import io.parterre.frontend.http.HttpServerConfig;
import io.parterre.frontend.http.ListenException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** The HTTP server of the port for operators: one thread, few connections, no bodies. */
public final class AdminServer implements AutoCloseable {
    private final HttpServer server;

    private final EventLoops loops;

    private AdminServer(HttpServer server, EventLoops loops) {
        this.server = server;
        this.loops = loops;
    }

    /**
     * Listens until closed.
     *
     * @throws ListenException if the address is in use or does not belong to this machine
     */
    public static AdminServer start(
            AdminSection config,
            PrometheusMeterRegistry meters,
            Readiness readiness,
            InstantSource clock)
            throws ListenException {
        EventLoops loops = EventLoops.start("admin", 1);
        try {
            return new AdminServer(
                    HttpServer.start(
                            "admin",
                            limits(config),
                            loops,
                            new AdminHandler(meters, readiness),
                            AdminServer::word,
                            clock,
                            Optional.empty()),
                    loops);
        } catch (ListenException e) {
            loops.close();
            throw e;
        }
    }

    private static HttpServerConfig limits(AdminSection config) {
        int bodyBytesMax = 1_024;
        return new HttpServerConfig(
                config.host(),
                config.port(),
                1,
                64,
                0,
                8 * 1_024,
                16 * 1_024,
                128,
                bodyBytesMax,
                // The text of all metrics counts toward this limit as well.
                16 << 20,
                1,
                1 << 20,
                Duration.ofSeconds(60),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                1_024,
                Duration.ofSeconds(5),
                Duration.ofSeconds(1),
                Duration.ZERO,
                Duration.ofSeconds(1),
                Optional.empty());
    }

    private static HttpAnswer word(HttpRefusal refusal, HeaderList request) {
        return new HttpAnswer(
                refusal.status(),
                refusal.reason(),
                HeaderList.of(
                        "Content-Type", "text/plain; charset=utf-8", "Server", AdminHandler.SERVER),
                (refusal.reason() + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the address of the listener. */
    public InetSocketAddress address() {
        return server.address();
    }

    @Override
    public void close() {
        server.close();
        loops.close();
    }
}
