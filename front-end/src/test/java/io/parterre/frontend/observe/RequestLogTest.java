package io.parterre.frontend.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.frontend.observe.RequestLogConfig.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writer of the request log and its files. */
class RequestLogTest {
    private static final byte[] LINE = ("x".repeat(30_000) + "\n").getBytes(UTF_8);

    @TempDir Path folder;

    private RequestLogConfig config(int filesMax) {
        return new RequestLogConfig(
                Output.FILE, folder.resolve("sub/r.log"), 64 << 10, filesMax, 1);
    }

    private List<String> files() throws IOException {
        try (var files = Files.list(folder.resolve("sub"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static void write(LogFile file, int lines) throws IOException {
        for (int i = 0; i < lines; i++) {
            file.write(LINE);
        }
        file.flush();
    }

    @Test
    void oldestFileIsDropped_whenFilesAreFull() throws IOException {
        LogFile file = new LogFile(config(3));
        write(file, 2);
        assertThat(files()).containsExactly("r.log");
        write(file, 5);
        file.close();
        assertThat(files()).containsExactly("r.log", "r.log.1", "r.log.2");
        assertThat(Files.size(folder.resolve("sub/r.log"))).isEqualTo(LINE.length);
        assertThat(Files.size(folder.resolve("sub/r.log.2"))).isEqualTo(2L * LINE.length);
    }

    @Test
    void singleFileBeginsAgain_whenItIsFull() throws IOException {
        LogFile file = new LogFile(config(1));
        write(file, 3);
        file.close();
        assertThat(files()).containsExactly("r.log");
        assertThat(Files.size(folder.resolve("sub/r.log"))).isEqualTo(LINE.length);
    }

    @Test
    void fileGoesOn_afterRestart() throws IOException {
        LogFile first = new LogFile(config(3));
        write(first, 2);
        first.close();
        LogFile second = new LogFile(config(3));
        write(second, 1);
        second.close();
        assertThat(files()).containsExactly("r.log", "r.log.1");
    }

    /** An output that fails, or takes its time, as the test says. */
    private static final class Faulty implements LineOutput {
        final List<String> lines = new CopyOnWriteArrayList<>();
        final AtomicBoolean broken = new AtomicBoolean();
        final AtomicBoolean defective = new AtomicBoolean();
        volatile CountDownLatch gate = new CountDownLatch(0);

        @Override
        public void write(byte[] line) throws IOException {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (broken.get()) {
                throw new IOException("no room");
            }
            if (defective.get()) {
                throw new IllegalStateException("defect");
            }
            lines.add(new String(line, UTF_8));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void linesAreDroppedAndCounted_whenOutputIsSlow() {
        Faulty output = new Faulty();
        output.gate = new CountDownLatch(1);
        try (RequestLog log = new RequestLog(10, output)) {
            for (int i = 0; i < 100; i++) {
                log.add(Requests.of("acc", 200, 1));
            }
            // Ten wait, and as many may be in the writer's hands.
            assertThat(log.dropped()).isBetween(79L, 90L);
            output.gate.countDown();
            await().until(() -> log.written() + log.dropped() == 100);
            assertThat(output.lines).hasSize((int) log.written());
        }
    }

    @Test
    void linesAreCountedAsDropped_whenOutputFails() {
        Faulty output = new Faulty();
        output.broken.set(true);
        try (RequestLog log = new RequestLog(10, output)) {
            log.add(Requests.of("acc", 200, 1));
            await().until(() -> log.dropped() == 1);
            output.broken.set(false);
            log.add(Requests.of("acc", 200, 1));
            await().until(() -> log.written() == 1);
        }
    }

    @Test
    void linesFollow_afterOneThatThrows() {
        Faulty output = new Faulty();
        output.defective.set(true);
        try (RequestLog log = new RequestLog(10, output)) {
            log.add(Requests.of("acc", 200, 1));
            await().until(() -> log.dropped() == 1);
            output.defective.set(false);
            log.add(Requests.of("acc", 200, 1));
            await().until(() -> log.written() == 1);
            assertThat(log.dropped()).isEqualTo(1);
        }
    }

    @Test
    void waitingLinesAreWritten_whenLogCloses() {
        Faulty output = new Faulty();
        RequestLog log = new RequestLog(1_000, output);
        for (int i = 0; i < 500; i++) {
            log.add(Requests.of("acc", 200, 1));
        }
        log.close();
        assertThat(output.lines).hasSize(500);
        log.add(Requests.of("acc", 200, 1));
        assertThat(log.dropped()).isEqualTo(1);
    }

    @Test
    void fileIsOpenedAgain_afterItsFolderIsBack() throws IOException {
        Path blocked = folder.resolve("sub");
        Files.writeString(blocked, "in the way");
        LogFile file = new LogFile(config(3));
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> write(file, 1))
                .isInstanceOf(IOException.class);
        Files.delete(blocked);
        write(file, 1);
        file.close();
        assertThat(files()).containsExactly("r.log");
    }
}
