package io.parterre.deploy.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything that can be set, for all roles. The name of each component is a key; {@code
 * reference.yaml} describes its effect.
 *
 * @param dataDir folder of all persistent data
 * @param accounts accounts that must exist; none: embedded mode has the development account
 * @param operatorToken token that calls with data loss must carry; none: such calls are refused
 * @param stopTimeout longest time from SIGTERM to the end of the process: covers everything for
 *     which the roles wait as they stop
 */
public record ParterreConfig(
        Path dataDir,
        AccountList accounts,
        OperatorToken operatorToken,
        Duration stopTimeout,
        TlsSection tls,
        SecretsSection secrets,
        ClusterSection cluster,
        ManagerSection manager,
        ServerSection server,
        FrontEndSection frontEnd,
        AdminSection admin,
        LogSection log,
        TracesSection traces) {
    /**
     * Time that a stop needs besides the configured waits: leadership transfers and making rows
     * durable.
     */
    private static final Duration STOP_REST = Duration.ofSeconds(10);

    private static final Duration STOP_TIMEOUT_MAX = Duration.ofHours(2);

    static final ParterreConfig DEFAULT =
            new ParterreConfig(
                    Path.of("parterre-data"),
                    new AccountList(List.of()),
                    OperatorToken.NONE,
                    Duration.ofSeconds(25),
                    TlsSection.DEFAULT,
                    SecretsSection.DEFAULT,
                    ClusterSection.DEFAULT,
                    ManagerSection.DEFAULT,
                    ServerSection.DEFAULT,
                    FrontEndSection.DEFAULT,
                    AdminSection.DEFAULT,
                    LogSection.DEFAULT,
                    TracesSection.DEFAULT);

    public ParterreConfig {
        List<String> problems = new ArrayList<>();
        if (stopTimeout.isNegative()
                || stopTimeout.isZero()
                || stopTimeout.compareTo(STOP_TIMEOUT_MAX) > 0) {
            problems.add("stopTimeout: " + stopTimeout + " (expected: above 0, at most 2h)");
        }
        require(stopTimeout, server.stop().waitMax(), "server.stop.permitTimeout", problems);
        require(
                stopTimeout,
                frontEnd.http().closeDelay().plus(frontEnd.http().closeTimeout()),
                "frontEnd.http.closeDelay and closeTimeout",
                problems);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    /**
     * Requires enough time, because a process that is ended during a stop transfers no leadership.
     */
    private static void require(
            Duration stopTimeout, Duration waits, String keys, List<String> problems) {
        Duration least = waits.plus(STOP_REST);
        if (!waits.isZero() && stopTimeout.compareTo(least) < 0) {
            problems.add(
                    "stopTimeout: "
                            + stopTimeout.toSeconds()
                            + " s (expected: at least "
                            + least.toSeconds()
                            + " s, "
                            + STOP_REST.toSeconds()
                            + " s more than "
                            + keys
                            + ")");
        }
    }
}
