package io.parterre.server.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.directory.AccessPolicy;
import io.parterre.directory.CorsRule;
import io.parterre.directory.LoggingProperties;
import io.parterre.directory.MetricsProperties;
import io.parterre.directory.ServiceProperties;
import io.parterre.directory.ServicePropertiesCodec;
import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.error.ErrorCode;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.ReplicaCommand.BeginDeleteTable;
import io.parterre.server.command.ReplicaCommand.CreateTable;
import io.parterre.server.command.ReplicaCommand.FinishDeleteTable;
import io.parterre.server.command.ReplicaCommand.SetServiceProperties;
import io.parterre.server.command.ReplicaCommand.SetTablePolicies;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class DirectoryApplyTest {
    private static final Key ROW = KeyCodec.tableDirectoryRow(new AccountId(7), "people");
    private static final ObjectId FIRST = new ObjectId(11);
    private static final ObjectId SECOND = new ObjectId(12);

    private final AppliedRange range = new AppliedRange();

    private Outcome apply(ReplicaCommand command) {
        return range.apply(100, command).get(0);
    }

    private Optional<TableRecord> stored() {
        return range.view.get(ROW).map(TableRecordCodec::decode);
    }

    @Test
    void createTableKeepsCaseOfTableName() {
        assertThat(apply(new CreateTable(ROW, "People", FIRST)))
                .isEqualTo(new Outcome.TableChanged(FIRST, "People"));
        assertThat(stored()).contains(new TableRecord("People", FIRST, TableRecord.State.LIVE));
    }

    @Test
    void createTableIsRejected_whenTableExists() {
        apply(new CreateTable(ROW, "People", FIRST));

        assertThat(apply(new CreateTable(ROW, "people", SECOND)))
                .isEqualTo(Outcome.Rejected.of(ErrorCode.TABLE_ALREADY_EXISTS));
        assertThat(stored().orElseThrow().tableId()).isEqualTo(FIRST);
    }

    @Test
    void createTableIsRejectedWithOldId_whenTableIsBeingDeleted() {
        apply(new CreateTable(ROW, "People", FIRST));
        apply(new BeginDeleteTable(ROW));

        assertThat(apply(new CreateTable(ROW, "People", SECOND)))
                .isEqualTo(
                        new Outcome.Rejected(ErrorCode.TABLE_BEING_DELETED, 0, Optional.of(FIRST)));
    }

    @Test
    void beginDeleteMarksTableAndIsIdempotent() {
        apply(new CreateTable(ROW, "People", FIRST));

        assertThat(apply(new BeginDeleteTable(ROW)))
                .isEqualTo(new Outcome.TableChanged(FIRST, "People"));
        assertThat(apply(new BeginDeleteTable(ROW)))
                .isEqualTo(new Outcome.TableChanged(FIRST, "People"));
        assertThat(stored().orElseThrow().state()).isEqualTo(TableRecord.State.DELETING);
    }

    @Test
    void beginDeleteReturnsNotFound_whenTableIsMissing() {
        assertThat(apply(new BeginDeleteTable(ROW)))
                .isEqualTo(Outcome.Rejected.of(ErrorCode.RESOURCE_NOT_FOUND));
    }

    @Test
    void finishDeleteRemovesTable_whenIdMatchesAndTableIsDeleting() {
        apply(new CreateTable(ROW, "People", FIRST));
        apply(new FinishDeleteTable(ROW, FIRST));
        assertThat(stored()).isPresent();

        apply(new BeginDeleteTable(ROW));
        apply(new FinishDeleteTable(ROW, SECOND));
        assertThat(stored()).isPresent();

        assertThat(apply(new FinishDeleteTable(ROW, FIRST)))
                .isEqualTo(new Outcome.TableChanged(FIRST, "People"));
        assertThat(stored()).isEmpty();
        assertThat(apply(new FinishDeleteTable(ROW, FIRST)))
                .isEqualTo(new Outcome.TableChanged(FIRST, ""));
    }

    @Test
    void lateFinishDeleteKeepsNewTable_whenNameWasReused() {
        apply(new CreateTable(ROW, "People", SECOND));

        apply(new FinishDeleteTable(ROW, FIRST));

        assertThat(stored().orElseThrow().tableId()).isEqualTo(SECOND);
    }

    private static final AccessPolicy POLICY =
            new AccessPolicy("p", OptionalLong.of(1), OptionalLong.of(2), Optional.of("ra"));

    @Test
    void setTablePoliciesReplacesAllPoliciesOfTable() {
        apply(new CreateTable(ROW, "People", FIRST));

        assertThat(apply(new SetTablePolicies(ROW, List.of(POLICY))))
                .isEqualTo(new Outcome.TableChanged(FIRST, "People"));
        assertThat(stored())
                .contains(
                        new TableRecord("People", FIRST, TableRecord.State.LIVE, List.of(POLICY)));

        apply(new SetTablePolicies(ROW, List.of()));
        assertThat(stored()).contains(new TableRecord("People", FIRST, TableRecord.State.LIVE));
    }

    @Test
    void setTablePoliciesReturnsNotFound_whenTableIsMissingOrDeleting() {
        assertThat(apply(new SetTablePolicies(ROW, List.of(POLICY))))
                .isEqualTo(Outcome.Rejected.of(ErrorCode.TABLE_NOT_FOUND));
        assertThat(stored()).isEmpty();

        apply(new CreateTable(ROW, "People", FIRST));
        apply(new SetTablePolicies(ROW, List.of(POLICY)));
        apply(new BeginDeleteTable(ROW));

        assertThat(stored().orElseThrow().policies()).isEmpty();
        assertThat(apply(new SetTablePolicies(ROW, List.of(POLICY))))
                .isEqualTo(Outcome.Rejected.of(ErrorCode.TABLE_NOT_FOUND));
        assertThat(stored().orElseThrow().policies()).isEmpty();
    }

    @Test
    void recreatedTableHasNoPolicies_whenOldTableHadSome() {
        apply(new CreateTable(ROW, "People", FIRST));
        apply(new SetTablePolicies(ROW, List.of(POLICY)));
        apply(new BeginDeleteTable(ROW));
        apply(new FinishDeleteTable(ROW, FIRST));
        apply(new CreateTable(ROW, "People", SECOND));

        assertThat(stored()).contains(new TableRecord("People", SECOND, TableRecord.State.LIVE));
    }

    @Test
    void servicePropertiesKeepOtherParts_whenOnePartIsSet() {
        Key settings = KeyCodec.servicePropertiesRow(new AccountId(7), "table");
        LoggingProperties logging = new LoggingProperties(true, false, false, OptionalInt.of(3));
        CorsRule rule = new CorsRule(List.of("GET"), List.of("*"), List.of(), List.of(), 1);

        assertThat(
                        apply(
                                new SetServiceProperties(
                                        settings,
                                        new ServiceProperties.Change(
                                                Optional.of(logging),
                                                Optional.empty(),
                                                Optional.empty(),
                                                Optional.empty()))))
                .isEqualTo(new Outcome.PropertiesChanged());
        apply(
                new SetServiceProperties(
                        settings,
                        new ServiceProperties.Change(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(List.of(rule)))));

        assertThat(range.view.get(settings).map(ServicePropertiesCodec::decode))
                .contains(
                        new ServiceProperties(
                                logging,
                                MetricsProperties.OFF,
                                MetricsProperties.OFF,
                                List.of(rule)));
    }
}
