package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static io.parterre.server.RangeClient.scan;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.server.store.StoreFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose rows have turned bad on disk. */
final class DamagedRowsIT {
    private static final KeyRange TABLE = KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE));
    private static final int ROWS = 60;

    @TempDir Path folder;

    private static String text(int row) {
        return ("row " + row + " ").repeat(300);
    }

    /** A bit in the middle of what entities hold. */
    private void flip() throws Exception {
        try (Stream<Path> files = Files.list(folder.resolve("rows"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".sst")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                String content = new String(bytes, StandardCharsets.ISO_8859_1);
                int at = content.indexOf("row 30 row 30 ");
                if (at >= 0) {
                    bytes[at + 700] ^= 1;
                    Files.write(file, bytes);
                    return;
                }
            }
        }
        throw new IllegalStateException("no entity found in any file");
    }

    @Test
    void readFailsAndNodeStopsServing_whenStoredRowIsCorrupt() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            for (int row = 1; row <= ROWS; row++) {
                RangeResponse answer =
                        running.client()
                                .callWhenReady(command(insert(row, "a", "" + row, text(row))));
                assertThat(answer.getOutcome().hasWritten()).isTrue();
            }
        }
        flip();
        for (RangeRequest.Builder request : List.of(scan(TABLE, 1_000), read(key("a", "30")))) {
            RunningServer damaged = RunningServer.start(folder);
            try {
                RangeResponse answer = damaged.client().callWhenReady(request);

                assertThat(answer.hasFailed()).as(answer.toString()).isTrue();
                StoreFailure failure = damaged.failure();
                assertThat(failure).isNotNull();
                assertThat(failure.cause()).hasMessageContaining(".sst");
                assertThat(damaged.server.missing()).contains("its store has failed");
                RangeResponse write =
                        damaged.client().call(command(insert(10_000, "b", "1", "later")));
                assertThat(write.hasOutcome()).as(write.toString()).isFalse();
            } finally {
                damaged.kill();
            }
        }
    }
}
