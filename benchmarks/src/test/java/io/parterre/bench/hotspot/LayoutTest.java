package io.parterre.bench.hotspot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parterre.key.AccountId;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import org.junit.jupiter.api.Test;

final class LayoutTest {
    private static final Scope SCOPE = Scope.ofTable(new AccountId(1), new ObjectId(1_000));
    private static final ObjectMapper JSON = new ObjectMapper();

    private static void range(ObjectNode answer, long id, byte[] start, String leader) {
        ObjectNode each = answer.withArray("ranges").addObject();
        each.putObject("range").put("rangeId", id).put("start", start);
        each.put("leader", leader);
    }

    private static byte[] splitPoint(String partition) {
        return KeyCodec.partition(SCOPE, partition).unsafeBytes();
    }

    /** As a program reads it. */
    private static Layout layout() throws Exception {
        ObjectNode answer = JSON.createObjectNode();
        range(answer, 1, new byte[0], "s1");
        range(answer, 3, splitPoint("p00000025"), "s2");
        range(answer, 2, splitPoint("p00000050"), "s1");
        JsonNode read = JSON.readTree(JSON.writeValueAsString(answer));
        assertThat(read.path("ranges")).isInstanceOf(ArrayNode.class);
        return Layout.of(read, 100);
    }

    @Test
    void layoutMapsPartitionToRangeStartingAtOrBeforeIt() throws Exception {
        Layout layout = layout();
        assertThat(layout.leaderOf(0)).isEqualTo("s1");
        assertThat(layout.leaderOf(24)).isEqualTo("s1");
        assertThat(layout.leaderOf(25)).isEqualTo("s2");
        assertThat(layout.leaderOf(49)).isEqualTo("s2");
        assertThat(layout.leaderOf(99)).isEqualTo("s1");
        assertThat(layout.rangeOf(24)).isEqualTo(1);
        assertThat(layout.rangeOf(25)).isEqualTo(3);
        assertThat(layout.rangeOf(99)).isEqualTo(2);
        assertThat(layout.partitionsOf(2)).contains(new Layout.Partitions(50, 100));
        assertThat(layout.partitionsOf(4)).isEmpty();
        assertThat(layout.words()).isEqualTo("3 ranges; s1 leads 1, 2; s2 leads 3");
    }

    @Test
    void serverShareIsSumOverRangesItLeads() throws Exception {
        assertThat(layout().shares(Skew.even(100)).get("s1")).isBetween(0.7499, 0.7501);
        assertThat(layout().shares(Skew.even(100)).get("s2")).isBetween(0.2499, 0.2501);
    }
}
