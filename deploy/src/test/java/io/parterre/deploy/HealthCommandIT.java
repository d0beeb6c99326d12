package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.parterre.deploy.admin.AdminServer;
import io.parterre.deploy.config.AdminSection;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HealthCommandIT {
    private final AtomicReference<Optional<String>> missing =
            new AtomicReference<>(Optional.empty());
    private final StringWriter out = new StringWriter();
    private AdminServer admin;

    @BeforeEach
    void start() throws Exception {
        admin =
                AdminServer.start(
                        new AdminSection("127.0.0.1", 0),
                        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                        () -> CompletableFuture.completedFuture(missing.get()),
                        InstantSource.system());
    }

    @AfterEach
    void stop() {
        admin.close();
    }

    private int run(String... more) {
        out.getBuffer().setLength(0);
        String[] arguments = new String[3 + more.length];
        arguments[0] = "health";
        arguments[1] = "--admin-port";
        arguments[2] = Integer.toString(admin.address().getPort());
        System.arraycopy(more, 0, arguments, 3, more.length);
        return Launcher.commandLine().setOut(new PrintWriter(out, true)).execute(arguments);
    }

    @Test
    void healthIsGood_whileTheProcessLives() {
        missing.set(Optional.of("a leader"));
        assertThat(run()).isZero();
        assertThat(out.toString().strip()).isEqualTo("alive");
    }

    @Test
    void healthNamesWhatIsMissing_whenReadinessIsAsked() {
        assertThat(run("--ready")).isZero();
        assertThat(out.toString().strip()).isEqualTo("ready");
        missing.set(Optional.of("a leader"));
        assertThat(run("--ready")).isEqualTo(ExitCode.FAILED.code());
        assertThat(out.toString().strip()).isEqualTo("a leader");
    }

    @Test
    void healthIsBad_whenNothingListens() {
        String address = "127.0.0.1:" + admin.address().getPort();
        admin.close();
        assertThat(run("--timeout", "1")).isEqualTo(ExitCode.FAILED.code());
        assertThat(out.toString()).contains("no answer from http://" + address);
    }

    @Test
    void healthAsksLoopback_whenTheProcessListensOnAllAddresses() {
        assertThat(HealthCommand.reachable(new AdminSection("0.0.0.0", 7)))
                .hasToString("127.0.0.1:7");
        assertThat(HealthCommand.reachable(new AdminSection("::", 7))).hasToString("[::1]:7");
        assertThat(HealthCommand.reachable(new AdminSection("10.0.0.4", 7)))
                .hasToString("10.0.0.4:7");
    }
}
