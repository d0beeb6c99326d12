package io.parterre.bench.jmh;

import io.parterre.bench.load.Endpoint;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.auth.Authentication;
import io.parterre.frontend.auth.Authenticator;
import io.parterre.frontend.auth.SignedRequest;
import io.parterre.frontend.auth.TokenKeys;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.service.TableService;
import io.parterre.frontend.service.TableServiceConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Everything that the front end does between the socket and the cluster, with a cluster that
 * answers at once; and the check of the signature alone.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 3, time = 1)
public class TableServiceBenchmark {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Account account = InstantStore.account();
    private final Authenticator authenticator =
            new Authenticator(
                    name -> Optional.of(account),
                    Optional.empty(),
                    TokenKeys.NONE,
                    Duration.ofMinutes(15));
    private final TableService service =
            new TableService(
                    name -> Optional.of(account),
                    TokenKeys.NONE,
                    new InstantStore(),
                    InstantSource.fixed(NOW),
                    TableServiceConfig.defaults(),
                    () -> "00000000-0000-0000-0000-000000000000");
    private final HttpCall read = SampleCalls.read(NOW);
    private final HttpCall insert = SampleCalls.insert(NOW);
    private final HttpCall batch = SampleCalls.batch(NOW);
    private final HttpCall page = SampleCalls.page(NOW);
    private final SignedRequest signed =
            new SignedRequest(
                    read.method(),
                    read.rawPath(),
                    Optional.empty(),
                    Endpoint.DEVELOPMENT_ACCOUNT,
                    Optional.empty(),
                    Optional.of("2019-02-02"),
                    read.headers());

    /** Checks the answers, because refusals would be fast and distort the measurement unnoticed. */
    @Setup
    public void checkAnswers() {
        expect(200, read);
        expect(204, insert);
        expect(202, batch);
        expect(200, page);
    }

    private void expect(int status, HttpCall call) {
        HttpAnswer answer = answer(call);
        if (answer.status() != status) {
            throw new IllegalStateException(
                    call.target() + ": " + answer.status() + " (expected: " + status + ")");
        }
    }

    private HttpAnswer answer(HttpCall call) {
        return service.handle(call).toCompletableFuture().join();
    }

    @Benchmark
    public Authentication checkSignature() {
        return authenticator.authenticate(signed, NOW);
    }

    @Benchmark
    public HttpAnswer pointRead() {
        return answer(read);
    }

    @Benchmark
    public HttpAnswer insert() {
        return answer(insert);
    }

    @Benchmark
    public HttpAnswer batchOfHundred() {
        return answer(batch);
    }

    @Benchmark
    public HttpAnswer pageOfThousand() {
        return answer(page);
    }
}
