package io.parterre.server.apply;

import static io.parterre.server.apply.AppliedRange.batch;
import static io.parterre.server.apply.AppliedRange.ifMatch;
import static io.parterre.server.apply.AppliedRange.key;
import static io.parterre.server.apply.AppliedRange.operation;
import static io.parterre.server.apply.AppliedRange.property;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.EdmValue;
import io.parterre.entity.Property;
import io.parterre.error.ErrorCode;
import io.parterre.server.command.EntityOperation.Kind;
import io.parterre.server.command.ReplicaCommand.WriteEntities;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class EntityApplyTest {
    private final AppliedRange range = new AppliedRange();

    private static Outcome rejected(ErrorCode code, int operation) {
        return new Outcome.Rejected(code, operation, Optional.empty());
    }

    private static Outcome written(long... ticks) {
        return new Outcome.Written(ticks);
    }

    @Test
    void insertStoresEntityWithTimestampOfItsLogEntry() {
        List<Outcome> outcomes =
                range.apply(100, batch(operation(Kind.INSERT, "a", property("X", 1))));

        assertThat(outcomes).containsExactly(written(100));
        assertThat(range.timestamp("a")).isEqualTo(100);
        assertThat(range.properties("a")).containsExactly(property("X", 1));
    }

    @Test
    void insertIsRejected_whenEntityExists() {
        range.apply(100, batch(operation(Kind.INSERT, "a", property("X", 1))));

        List<Outcome> outcomes =
                range.apply(101, batch(operation(Kind.INSERT, "a", property("X", 2))));

        assertThat(outcomes).containsExactly(rejected(ErrorCode.ENTITY_ALREADY_EXISTS, 0));
        assertThat(range.properties("a")).containsExactly(property("X", 1));
        assertThat(range.timestamp("a")).isEqualTo(100);
    }

    @Test
    void changeReturnsNotFoundBeforeETagCheck_whenEntityIsMissing() {
        for (Kind kind : List.of(Kind.UPDATE, Kind.MERGE, Kind.DELETE)) {
            assertThat(range.apply(100, batch(ifMatch(operation(kind, "a"), 5))))
                    .containsExactly(rejected(ErrorCode.RESOURCE_NOT_FOUND, 0));
        }
    }

    @Test
    void changeFailsPrecondition_whenETagDiffers() {
        range.apply(100, batch(operation(Kind.INSERT, "a")));

        for (Kind kind : List.of(Kind.UPDATE, Kind.MERGE, Kind.DELETE)) {
            assertThat(range.apply(101, batch(ifMatch(operation(kind, "a"), 99))))
                    .containsExactly(rejected(ErrorCode.UPDATE_CONDITION_NOT_SATISFIED, 0));
        }
        assertThat(range.timestamp("a")).isEqualTo(100);
    }

    @Test
    void updateReplacesAllProperties_whenETagMatches() {
        range.apply(100, batch(operation(Kind.INSERT, "a", property("X", 1), property("Y", 1))));

        List<Outcome> outcomes =
                range.apply(
                        200, batch(ifMatch(operation(Kind.UPDATE, "a", property("X", 2)), 100)));

        assertThat(outcomes).containsExactly(written(200));
        assertThat(range.properties("a")).containsExactly(property("X", 2));
    }

    @Test
    void entityMergeKeepsProperties_whenRequestOmitsThem() {
        range.apply(100, batch(operation(Kind.INSERT, "a", property("X", 1), property("Y", 1))));

        range.apply(200, batch(operation(Kind.MERGE, "a", property("Y", 2), property("Z", 3))));

        assertThat(range.properties("a"))
                .containsExactly(property("X", 1), property("Y", 2), property("Z", 3));
        assertThat(range.timestamp("a")).isEqualTo(200);
    }

    @Test
    void upsertInsertsMissingAndChangesExistingEntity() {
        range.apply(
                100,
                batch(
                        operation(Kind.INSERT_OR_REPLACE, "a", property("X", 1)),
                        operation(Kind.INSERT_OR_MERGE, "b", property("X", 1))));
        range.apply(
                200,
                batch(
                        operation(Kind.INSERT_OR_REPLACE, "a", property("Y", 2)),
                        operation(Kind.INSERT_OR_MERGE, "b", property("Y", 2))));

        assertThat(range.properties("a")).containsExactly(property("Y", 2));
        assertThat(range.properties("b")).containsExactly(property("X", 1), property("Y", 2));
    }

    @Test
    void deleteRemovesEntityAndReturnsNoTimestamp() {
        range.apply(100, batch(operation(Kind.INSERT, "a")));

        assertThat(range.apply(200, batch(ifMatch(operation(Kind.DELETE, "a"), 100))))
                .containsExactly(written(0));
        assertThat(range.view.rows).isEmpty();
    }

    @Test
    void batchAppliesNothing_whenOneOperationIsRejected() {
        range.apply(100, batch(operation(Kind.INSERT, "b", property("X", 1))));

        List<Outcome> outcomes =
                range.apply(
                        200,
                        batch(
                                operation(Kind.INSERT, "a"),
                                operation(Kind.INSERT, "b"),
                                operation(Kind.DELETE, "c")));

        assertThat(outcomes).containsExactly(rejected(ErrorCode.ENTITY_ALREADY_EXISTS, 1));
        assertThat(range.view.rows.keySet()).containsExactly(key("b"));
    }

    @Test
    void commandSeesEffectOfEarlierCommand_whenInSameLogEntry() {
        List<Outcome> outcomes =
                range.apply(
                        100,
                        batch(operation(Kind.INSERT, "a", property("X", 1))),
                        batch(operation(Kind.INSERT, "a")),
                        batch(operation(Kind.MERGE, "a", property("Y", 2))),
                        batch(operation(Kind.DELETE, "a")),
                        batch(operation(Kind.UPDATE, "a")));

        assertThat(outcomes)
                .containsExactly(
                        written(100),
                        rejected(ErrorCode.ENTITY_ALREADY_EXISTS, 0),
                        written(101),
                        written(0),
                        rejected(ErrorCode.RESOURCE_NOT_FOUND, 0));
    }

    @Test
    void recreatedEntityGetsNewETag_whenClockTickIsUnchanged() {
        range.apply(100, batch(operation(Kind.INSERT, "a")));
        range.apply(100, batch(operation(Kind.DELETE, "a")));
        range.restart();
        range.apply(100, batch(operation(Kind.INSERT, "a")));

        assertThat(range.timestamp("a")).isEqualTo(101);
    }

    @Test
    void timestampsIncrease_whenLeaderClockLags() {
        range.apply(1_000, batch(operation(Kind.INSERT, "a")));
        range.apply(10, batch(operation(Kind.UPDATE, "a")));

        assertThat(range.timestamp("a")).isEqualTo(1_001);
    }

    @Test
    void batchOperationsGetDistinctTimestamps() {
        assertThat(
                        range.apply(
                                100,
                                batch(
                                        operation(Kind.INSERT, "a"),
                                        operation(Kind.INSERT, "b"),
                                        operation(Kind.INSERT, "c"))))
                .containsExactly(written(100, 101, 102));
    }

    @Test
    void entityMergeIsRejected_whenResultExceedsEntityLimits() {
        Property text = new Property("T", new EdmValue.StringValue("x".repeat(40)));
        // 4 + 2 * (1 + 1) + 8 + 2 + 2 * 40 + 4
        int size = 102;
        range.apply(100, batch(operation(Kind.INSERT, "a", text)));

        assertThat(apply(size + 13, 3, operation(Kind.MERGE, "a", property("N", 1))))
                .isEqualTo(rejected(ErrorCode.ENTITY_TOO_LARGE, 0));
        assertThat(apply(size + 14, 1, operation(Kind.MERGE, "a", property("N", 1))))
                .isEqualTo(rejected(ErrorCode.TOO_MANY_PROPERTIES, 0));
        assertThat(apply(size + 14, 2, operation(Kind.MERGE, "a", property("N", 1))))
                .isEqualTo(written(200));
    }

    private Outcome apply(
            int bytesMax, int propertiesMax, io.parterre.server.command.EntityOperation operation) {
        return range.apply(200, new WriteEntities(List.of(operation), bytesMax, propertiesMax))
                .get(0);
    }

    @Test
    void insertReportsAlreadyExists_whenEntityIsAlsoTooLarge() {
        range.apply(100, batch(operation(Kind.INSERT, "a")));

        assertThat(apply(1, 0, operation(Kind.INSERT, "a", property("X", 1))))
                .isEqualTo(rejected(ErrorCode.ENTITY_ALREADY_EXISTS, 0));
    }
}
