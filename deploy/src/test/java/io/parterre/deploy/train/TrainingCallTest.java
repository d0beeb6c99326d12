package io.parterre.deploy.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrainingCallTest {
    private static List<TrainingCall> calls(int connection, int rounds) {
        return IntStream.range(0, rounds * TrainingCall.ROUND)
                .mapToObj(number -> TrainingCall.of(connection, number))
                .toList();
    }

    @Test
    void everyKindOfCallIsUsedInEachRound() {
        List<TrainingCall> round = calls(0, 1);
        assertThat(round)
                .extracting(TrainingCall::method)
                .contains("POST", "GET", "MERGE", "DELETE");
        assertThat(round).extracting(TrainingCall::path).contains("$batch", "training()");
    }

    @Test
    void noEntityIsInsertedTwice() {
        Set<String> bodies = new HashSet<>();
        for (int connection = 0; connection < 3; connection++) {
            for (TrainingCall call : calls(connection, 20)) {
                if (call.path().equals(TrainingCall.TABLE)) {
                    String keys = call.body().substring(0, call.body().indexOf(",\"Count"));
                    assertThat(bodies.add(keys)).as(keys).isTrue();
                }
            }
        }
        assertThat(bodies).hasSize(3 * 20 * 6);
    }

    @Test
    void whatIsReadOrChangedWasInsertedBefore_andDeletedLast() {
        Set<String> there = new HashSet<>();
        for (TrainingCall call : calls(1, 20)) {
            if (call.path().equals(TrainingCall.TABLE)) {
                String[] parts = call.body().split("\"");
                there.add("training(PartitionKey='" + parts[3] + "',RowKey='" + parts[7] + "')");
            } else if (call.path().startsWith("training(P")) {
                assertThat(there).contains(call.path());
            }
            if (call.method().equals("DELETE")) {
                there.remove(call.path());
            }
        }
    }
}
