package io.parterre.frontend.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.inprocess.InProcessChannelBuilder;
import io.parterre.range.NodeId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class NodeStreamsTest {
    private final Map<Thread, Integer> opened = new ConcurrentHashMap<>();
    private final NodeStreams streams =
            new NodeStreams(
                    new NodeId("s1"),
                    "s1:1",
                    (nodeId, address) -> {
                        opened.merge(Thread.currentThread(), 1, Integer::sum);
                        return InProcessChannelBuilder.forName(address).directExecutor().build();
                    },
                    ClusterClientConfig.DEFAULT,
                    System::nanoTime);

    /** So that a connection can be one of the event loop whose calls go by it. */
    @Test
    void nodeStreamIsOpenedOnce_byThreadThatFirstNeedsIt() throws Exception {
        int count = ClusterClientConfig.DEFAULT.streamsPerNode();
        Set<NodeStream> used = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 2 * count; i++) {
            onAnother(() -> used.add(streams.stream().orElseThrow()));
        }
        assertThat(used).hasSize(opened.size()).hasSizeLessThanOrEqualTo(count);
        assertThat(opened.values()).containsOnly(1);
    }

    @Test
    void nodeStreamsOpenNothing_afterClose() {
        assertThat(streams.stream()).isPresent();
        streams.close();
        IntStream.range(0, 2 * ClusterClientConfig.DEFAULT.streamsPerNode())
                .forEach(i -> onAnother(streams::stream));
        assertThat(opened).hasSize(1);
    }

    private static void onAnother(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
