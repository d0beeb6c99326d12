package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static io.parterre.server.RangeClient.scan;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.Entity;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityPage;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.RangeResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole partition server: real Raft, real store, real gRPC. */
final class PartitionServerIT {
    @TempDir Path folder;

    @Test
    void readsAndScansWhatWasWritten() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            RangeClient client = running.client();
            RangeResponse first = client.callWhenReady(command(insert(1, "a", "1", "one")));
            long ticks = first.getOutcome().getWritten().getTimestampTicks(0);
            client.call(command(insert(2, "a", "2", "two")));
            client.call(command(insert(3, "b", "1", "three")));

            byte[] value = client.call(read(key("a", "1"))).getRow().getValue().toByteArray();
            RangeResponse page =
                    client.call(scan(KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE)), 2));

            assertThat(EntityCodec.timestampTicks(value)).isEqualTo(ticks);
            assertThat(EntityCodec.blockOf(value)).isEqualTo(Commands.block("one"));
            List<Entity> entities = EntityPage.decode(page.getScanPage().getRows().toByteArray());
            assertThat(entities).extracting(Entity::rowKey).containsExactly("1", "2");
            assertThat(page.getScanPage().getResumeKey()).isEqualTo(Commands.bytes(key("b", "1")));
            assertThat(client.call(read(key("a", "3"))).getRow().hasValue()).isFalse();
        }
    }
}
