package io.parterre.frontend.client;

import static io.parterre.frontend.client.ClusterFixture.ACCOUNT;
import static io.parterre.frontend.client.ClusterFixture.get;
import static io.parterre.frontend.client.ClusterFixture.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.directory.AccessPolicy;
import io.parterre.directory.CorsRule;
import io.parterre.directory.MetricsProperties;
import io.parterre.directory.ServiceProperties;
import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Policies of tables and properties of the service, through the cluster. */
final class SettingsTest {
    private static AccessPolicy policy(String id) {
        return new AccessPolicy(id, OptionalLong.of(1), OptionalLong.empty(), Optional.of("ra"));
    }

    private static void assertNoTable(CompletionStage<?> stage) {
        assertThatThrownBy(() -> get(stage))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TABLE_NOT_FOUND));
    }

    @Test
    void tablePoliciesAreVisibleAtOnce_afterTheyAreSet() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(fixture.tables.createTable(ACCOUNT, "Orders", soon()));
            assertThat(get(fixture.tables.tablePolicies(ACCOUNT, "orders", soon()))).isEmpty();

            List<AccessPolicy> two = List.of(policy("b"), policy("a"));
            get(fixture.tables.setTablePolicies(ACCOUNT, "oRDERS", two, soon()));
            assertThat(get(fixture.tables.tablePolicies(ACCOUNT, "orders", soon()))).isEqualTo(two);
            assertThat(get(fixture.tables.readTablePolicies(ACCOUNT, "orders", soon())))
                    .isEqualTo(two);
            assertThat(get(fixture.tables.findTable(ACCOUNT, "orders", soon()))).contains("Orders");

            get(fixture.tables.setTablePolicies(ACCOUNT, "orders", List.of(), soon()));
            assertThat(get(fixture.tables.tablePolicies(ACCOUNT, "orders", soon()))).isEmpty();
        }
    }

    @Test
    void policiesSetElsewhereAreSeenByCache_afterUncachedRead() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(fixture.tables.createTable(ACCOUNT, "Orders", soon()));
            fixture.store.put(
                    KeyCodec.tableDirectoryRow(ACCOUNT, "orders"),
                    TableRecordCodec.encode(
                            new TableRecord(
                                    "Orders",
                                    new ObjectId(100),
                                    TableRecord.State.LIVE,
                                    List.of(policy("a")))));
            assertThat(get(fixture.tables.tablePolicies(ACCOUNT, "orders", soon()))).isEmpty();
            assertThat(get(fixture.tables.readTablePolicies(ACCOUNT, "orders", soon())))
                    .containsExactly(policy("a"));
            assertThat(get(fixture.tables.tablePolicies(ACCOUNT, "orders", soon())))
                    .containsExactly(policy("a"));
        }
    }

    @Test
    void policyCallsFailWithTableNotFound_whenTableIsMissing() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            assertNoTable(fixture.tables.tablePolicies(ACCOUNT, "none", soon()));
            assertNoTable(fixture.tables.readTablePolicies(ACCOUNT, "none", soon()));
            assertNoTable(
                    fixture.tables.setTablePolicies(ACCOUNT, "none", List.of(policy("a")), soon()));
        }
    }

    @Test
    void servicePropertiesKeepOtherParts_whenOnePartIsSet() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            assertThat(get(fixture.tables.serviceProperties(ACCOUNT, soon())))
                    .isEqualTo(ServiceProperties.DEFAULT);
            MetricsProperties hours = new MetricsProperties(true, true, OptionalInt.of(7));
            CorsRule rule =
                    new CorsRule(List.of("GET"), List.of("*"), List.of("a*"), List.of("b"), 9);
            get(
                    fixture.tables.setServiceProperties(
                            ACCOUNT,
                            new ServiceProperties.Change(
                                    Optional.empty(),
                                    Optional.of(hours),
                                    Optional.empty(),
                                    Optional.empty()),
                            soon()));
            get(
                    fixture.tables.setServiceProperties(
                            ACCOUNT,
                            new ServiceProperties.Change(
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.of(List.of(rule))),
                            soon()));
            assertThat(get(fixture.tables.serviceProperties(ACCOUNT, soon())))
                    .isEqualTo(
                            new ServiceProperties(
                                    ServiceProperties.DEFAULT.logging(),
                                    hours,
                                    MetricsProperties.OFF,
                                    List.of(rule)));
        }
    }
}
