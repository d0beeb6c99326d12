package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.Account;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.RawRequest;
import io.parterre.chaos.client.StoredEntity;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import io.parterre.chaos.process.ServerProcess;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that break off, send nonsense or sit idle, beside writers that behave. The writers must
 * get every answer in time and find exactly what they wrote; nothing of the others' may be stored;
 * and once they are gone, the process holds no more sockets and memory than before.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MisbehavingClientsIT {
    private static final int WRITERS = 3;
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

    /** New files of the store and of the log come and go with the writers' work. */
    private static final int OPEN_FILES_SLACK = 40;

    private static final long RESIDENT_BYTES_SLACK = 128L << 20;

    /** The heap is resident from the start, so that growth of memory means growth outside of it. */
    private final ChaosRun run =
            ChaosRun.named("abuse", "-Xms384m", "-Xmx384m", "-XX:+AlwaysPreTouch");

    private final SplittableRandom random = run.random();
    private final URI endpoint = run.settings().tableEndpoint();
    private ServerProcess server;

    private final Queue<String> answersToEndlessHeaders = new ConcurrentLinkedQueue<>();
    private int test;
    private Writers writers;
    private String abused;
    private int openFilesBefore;
    private long residentBytesBefore;

    @BeforeAll
    void start() {
        server = ServerProcess.start(run.settings());
    }

    @AfterAll
    void end() {
        server.close();
    }

    @BeforeEach
    void setWritersToWork() {
        test++;
        abused = "Abused" + test;
        writers = new Writers("Good" + test, WRITERS, random.nextLong());
        connect().createTable(writers.table());
        connect().createTable(abused);
        writers.start(connect());
        writers.awaitAcknowledged(300);
        openFilesBefore = server.openFiles();
        residentBytesBefore = server.residentBytes();
    }

    @AfterEach
    void letWritersEnd() {
        writers.stop();
    }

    @Test
    void f065ServerSurvives_whenClientsBreakOffInBody() {
        for (int i = 0; i < 200; i++) {
            RawRequest request = request(i);
            RawSocket socket = RawSocket.open(endpoint);
            socket.send(request.head());
            socket.send(request.body(), 0, random.nextInt(request.body().length));
            if (random.nextBoolean()) {
                socket.reset();
            } else {
                socket.close();
            }
        }
        assertUndisturbed();
    }

    @Test
    void serverSurvives_whenClientsSendRandomBytes() {
        for (int i = 0; i < 200; i++) {
            byte[] nonsense = new byte[1 + random.nextInt(8_192)];
            random.nextBytes(nonsense);
            try (RawSocket socket = RawSocket.open(endpoint)) {
                socket.send(nonsense);
                socket.endOfRequest();
                assertRefused(socket.statusLine());
            }
        }
        assertUndisturbed();
    }

    @Test
    void serverSurvives_whenClientsSendEndlessHeaders() throws InterruptedException {
        List<Thread> clients =
                IntStream.range(0, 20).mapToObj(i -> new Thread(this::sendEndlessHeaders)).toList();
        clients.forEach(Thread::start);
        for (Thread client : clients) {
            client.join();
        }
        assertThat(answersToEndlessHeaders).hasSize(20).allSatisfy(this::assertRefused);
        assertUndisturbed();
    }

    private void sendEndlessHeaders() {
        byte[] start = RawSocket.ascii("GET " + endpoint.getRawPath() + "/Tables HTTP/1.1\r\n");
        byte[] filler = RawSocket.ascii("x-filler: " + "f".repeat(1_000) + "\r\n");
        try (RawSocket socket = RawSocket.open(endpoint)) {
            boolean open = socket.send(start);
            // 4 MiB, unless the server has had enough before.
            for (int sent = 0; open && sent < 4 << 20; sent += filler.length) {
                open = socket.send(filler);
            }
            answersToEndlessHeaders.add(socket.statusLine());
        }
    }

    @Test
    void slowBodyIsAcceptedWithoutBlockingOtherWriters() {
        RawRequest request = request(0);
        try (RawSocket socket = RawSocket.open(endpoint)) {
            socket.send(request.head());
            for (int sent = 0; sent < request.body().length; sent += 100) {
                socket.send(request.body(), sent, Math.min(100, request.body().length - sent));
                // The others go on meanwhile.
                writers.awaitAcknowledged(20);
            }
            assertThat(socket.statusLine()).startsWith("HTTP/1.1 204");
        }
        assertThat(connect().read(abused, new EntityId("p", "r0"))).isPresent();
        assertWritersGoOn();
    }

    @Test
    void serverSurvives_withThousandIdleConnections() {
        List<RawSocket> idle =
                IntStream.range(0, 1_000).mapToObj(i -> RawSocket.open(endpoint)).toList();
        assertThat(connect().read(abused, new EntityId("p", "none")))
                .as("a newcomer is served beside them")
                .isEmpty();
        writers.awaitAcknowledged(300);
        idle.forEach(RawSocket::close);
        assertUndisturbed();
    }

    /** An insert or a batch of up to 100 of them, which nobody ever sends in full. */
    private RawRequest request(int number) {
        List<Change> changes =
                IntStream.range(0, number % 2 == 0 ? 1 : 1 + random.nextInt(100))
                        .<Change>mapToObj(i -> new Change.Insert("r" + i, number))
                        .toList();
        Write write = new Write("p", changes, number % 2 != 0);
        return RawRequest.of(endpoint, Account.development(), abused, write);
    }

    private void assertRefused(String statusLine) {
        assertThat(statusLine)
                .as("a client error, or no answer at all")
                .matches("|HTTP/1\\.[01] 4\\d\\d.*");
    }

    private void assertUndisturbed() {
        assertWritersGoOn();
        List<StoredEntity> leftovers = new ArrayList<>();
        connect().scan(abused, leftovers::add);
        assertThat(leftovers).as("entities of requests that never ended").isEmpty();
    }

    private void assertWritersGoOn() {
        writers.awaitAcknowledged(200);
        assertThat(writers.areWorking())
                .as(() -> "a call was not answered in " + ANSWER_WITHIN + server.endOfLog())
                .isTrue();
        assertThat(writers.failed()).as("calls that the server failed").isZero();
        await("file handles")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () ->
                                assertThat(server.openFiles())
                                        .isLessThanOrEqualTo(openFilesBefore + OPEN_FILES_SLACK));
        assertThat(server.residentBytes())
                .isLessThanOrEqualTo(residentBytesBefore + RESIDENT_BYTES_SLACK);
        writers.stop();
        run.assertNone(new Verification(connect(), writers).ofEverything(), "after abuse", server);
    }

    private TableConnection connect() {
        return new TableConnection(endpoint, Account.development(), ANSWER_WITHIN);
    }
}
