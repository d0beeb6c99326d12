package io.parterre.client;

import static io.parterre.client.Refusals.assertXmlRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.models.TableAccessPolicy;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceCorsRule;
import com.azure.data.tables.models.TableServiceGeoReplication;
import com.azure.data.tables.models.TableServiceGeoReplicationStatus;
import com.azure.data.tables.models.TableServiceLogging;
import com.azure.data.tables.models.TableServiceMetrics;
import com.azure.data.tables.models.TableServiceProperties;
import com.azure.data.tables.models.TableServiceRetentionPolicy;
import com.azure.data.tables.models.TableSignedIdentifier;
import io.parterre.chaos.client.TestedService;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stored access policies, properties and state of the service. */
class SettingsIT {
    private static final TableErrorCode INVALID_XML =
            TableErrorCode.fromString("InvalidXmlDocument");
    private static final OffsetDateTime START = OffsetDateTime.parse("2021-06-08T02:05:09Z");
    private static final OffsetDateTime EXPIRY = OffsetDateTime.parse("2021-06-08T03:10:09Z");

    private final TableServiceClient service = Sdk.service();
    private final TableServiceProperties found = service.getProperties();

    /** Properties belong to the account and not to the test. */
    @AfterEach
    void putPropertiesBack() {
        if (found.getCorsRules() == null) {
            found.setCorsRules(List.of());
        }
        service.setProperties(found);
    }

    @Test
    void accessPoliciesAreReturnedAsSet() {
        TableClient table = Sdk.freshTable();
        assertThat(policiesOf(table)).isEmpty();

        TableAccessPolicy full =
                new TableAccessPolicy()
                        .setPermissions("raud")
                        .setStartsOn(START)
                        .setExpiresOn(EXPIRY);
        table.setAccessPolicies(
                List.of(
                        policy("full", full),
                        policy("starts", new TableAccessPolicy().setStartsOn(START)),
                        policy("expires", new TableAccessPolicy().setExpiresOn(EXPIRY)),
                        policy("permits", new TableAccessPolicy().setPermissions("ad")),
                        new TableSignedIdentifier("none")));

        assertThat(policiesOf(table))
                .containsExactly(
                        new Policy("full", "raud", START, EXPIRY),
                        new Policy("starts", null, START, null),
                        new Policy("expires", null, null, EXPIRY),
                        new Policy("permits", "ad", null, null),
                        new Policy("none", null, null, null));
    }

    @Test
    void setAccessPoliciesReplacesAllPolicies() {
        TableClient table = Sdk.freshTable();
        table.setAccessPolicies(
                List.of(new TableSignedIdentifier("a"), new TableSignedIdentifier("b")));

        table.setAccessPolicies(List.of(new TableSignedIdentifier("c")));
        assertThat(policiesOf(table)).containsExactly(new Policy("c", null, null, null));

        table.setAccessPolicies(List.of());
        assertThat(policiesOf(table)).isEmpty();
    }

    @Test
    void accessPoliciesAreRejected_whenMoreThanFiveOrIdTooLong() {
        TableClient table = Sdk.freshTable();
        List<TableSignedIdentifier> six =
                IntStream.range(0, 6)
                        .mapToObj(i -> new TableSignedIdentifier(i + "x".repeat(63)))
                        .toList();
        table.setAccessPolicies(six.subList(0, 5));

        assertXmlRefused(400, INVALID_XML, () -> table.setAccessPolicies(six));
        assertXmlRefused(
                400,
                INVALID_XML,
                () -> table.setAccessPolicies(List.of(new TableSignedIdentifier("x".repeat(65)))));
        assertThat(policiesOf(table)).hasSize(5);
    }

    @Test
    void policyCallsFailWithNotFound_whenTableIsMissing() {
        TableClient missing = service.getTableClient(Sdk.freshName());

        assertXmlRefused(404, TableErrorCode.TABLE_NOT_FOUND, missing::getAccessPolicies);
        assertXmlRefused(
                404,
                TableErrorCode.TABLE_NOT_FOUND,
                () -> missing.setAccessPolicies(List.of(new TableSignedIdentifier("a"))));
    }

    @Test
    void servicePropertiesKeepUnsetParts_whenPartIsSet() {
        TableServiceMetrics metrics =
                new TableServiceMetrics()
                        .setVersion("1.0")
                        .setEnabled(true)
                        .setIncludeApis(true)
                        .setRetentionPolicy(week());
        TableServiceLogging logging =
                new TableServiceLogging()
                        .setAnalyticsVersion("1.0")
                        .setReadLogged(true)
                        .setDeleteLogged(true)
                        .setRetentionPolicy(week());
        service.setProperties(
                new TableServiceProperties()
                        .setLogging(logging)
                        .setHourMetrics(metrics)
                        .setCorsRules(List.of(rule())));
        service.setProperties(
                new TableServiceProperties().setMinuteMetrics(metrics.setIncludeApis(false)));

        TableServiceProperties read = service.getProperties();

        assertThat(read.getLogging().isReadLogged()).isTrue();
        assertThat(read.getLogging().isWriteLogged()).isFalse();
        assertThat(read.getLogging().isDeleteLogged()).isTrue();
        assertThat(read.getLogging().getRetentionPolicy().getDaysToRetain()).isEqualTo(7);
        assertThat(read.getHourMetrics().isEnabled()).isTrue();
        assertThat(read.getHourMetrics().isIncludeApis()).isTrue();
        assertThat(read.getMinuteMetrics().isIncludeApis()).isFalse();
        assertThat(read.getMinuteMetrics().getTableServiceRetentionPolicy().getDaysToRetain())
                .isEqualTo(7);
        TableServiceCorsRule rule = read.getCorsRules().get(0);
        assertThat(read.getCorsRules()).hasSize(1);
        assertThat(rule.getAllowedOrigins()).isEqualTo("http://a.example,http://b.example");
        assertThat(rule.getAllowedMethods()).isEqualTo("GET,PUT");
        assertThat(rule.getAllowedHeaders()).isEqualTo("x-ms-date,x-ms-meta-*");
        assertThat(rule.getExposedHeaders()).isEqualTo("etag");
        assertThat(rule.getMaxAgeInSeconds()).isEqualTo(500);
    }

    @Test
    void corsRulesAreRejected_whenMoreThanFive() {
        service.setProperties(
                new TableServiceProperties().setCorsRules(Collections.nCopies(5, rule())));
        assertThat(service.getProperties().getCorsRules()).hasSize(5);

        TableServiceProperties six =
                new TableServiceProperties().setCorsRules(Collections.nCopies(6, rule()));
        assertXmlRefused(400, INVALID_XML, () -> service.setProperties(six));
        assertThat(service.getProperties().getCorsRules()).hasSize(5);
    }

    @Test
    void retentionIsRejected_whenOver365Days() {
        TableServiceMetrics metrics =
                new TableServiceMetrics()
                        .setVersion("1.0")
                        .setEnabled(true)
                        .setIncludeApis(true)
                        .setRetentionPolicy(week().setDaysToRetain(366));

        assertXmlRefused(
                400,
                INVALID_XML,
                () ->
                        service.setProperties(
                                new TableServiceProperties().setMinuteMetrics(metrics)));
    }

    @Test
    void secondaryIsReportedLiveWithRecentSyncTime() {
        TestedService tested = TestedService.get();
        TableServiceClient secondary =
                Sdk.builder()
                        .endpoint(tested.endpoint() + "-secondary")
                        .credential(
                                new AzureNamedKeyCredential(
                                        tested.account().name(), tested.account().keyBase64()))
                        .buildClient();

        TableServiceGeoReplication replication = secondary.getStatistics().getGeoReplication();

        assertThat(replication.getStatus()).isEqualTo(TableServiceGeoReplicationStatus.LIVE);
        assertThat(replication.getLastSyncTime())
                .isAfter(OffsetDateTime.now(ZoneOffset.UTC).minusMinutes(5));
    }

    private static TableServiceRetentionPolicy week() {
        return new TableServiceRetentionPolicy().setEnabled(true).setDaysToRetain(7);
    }

    private static TableServiceCorsRule rule() {
        return new TableServiceCorsRule()
                .setAllowedOrigins("http://a.example,http://b.example")
                .setAllowedMethods("GET,PUT")
                .setAllowedHeaders("x-ms-date,x-ms-meta-*")
                .setExposedHeaders("etag")
                .setMaxAgeInSeconds(500);
    }

    private static TableSignedIdentifier policy(String id, TableAccessPolicy policy) {
        return new TableSignedIdentifier(id).setAccessPolicy(policy);
    }

    /** What lacks is null, as the SDK has it. */
    private record Policy(
            String id, String permissions, OffsetDateTime startsOn, OffsetDateTime expiresOn) {}

    /** Of no policies at all the SDK makes null. */
    private static List<Policy> policiesOf(TableClient table) {
        return Optional.ofNullable(table.getAccessPolicies().getIdentifiers()).stream()
                .flatMap(List::stream)
                .map(SettingsIT::policyOf)
                .toList();
    }

    private static Policy policyOf(TableSignedIdentifier identifier) {
        TableAccessPolicy policy =
                Optional.ofNullable(identifier.getAccessPolicy()).orElseGet(TableAccessPolicy::new);
        return new Policy(
                identifier.getId(),
                policy.getPermissions(),
                policy.getStartsOn(),
                policy.getExpiresOn());
    }
}
