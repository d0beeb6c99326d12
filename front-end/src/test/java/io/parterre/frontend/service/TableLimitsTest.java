package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.config.RecordCopy;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Lowers each limit and sees its error: what is at the lowered limit passes, what is one beyond is
 * refused, and the service by default takes both.
 */
final class TableLimitsTest {
    private static final String XML_REFUSAL = "400 InvalidXmlDocument";

    /** Change what is asked of the cluster, not what is refused; tested below. */
    private static final Set<String> WITHOUT_REFUSAL = Set.of("queryIntervalsMax", "clockSkewMax");

    /** A limit, a value below its default, and calls at and beyond it. */
    record Lowered(String limit, int value, Call within, Call beyond, String refusal, String text) {
        @Override
        public String toString() {
            return limit;
        }
    }

    record Call(String method, String target, String type, String body) {}

    private static Lowered lowered(
            String limit, int value, Call within, Call beyond, String refusal) {
        return new Lowered(limit, value, within, beyond, refusal, "");
    }

    private static Call table(String name) {
        return new Call(
                "POST", "/acct/Tables", "application/json", "{\"TableName\":\"" + name + "\"}");
    }

    private static Call entity(String rowKey, String member) {
        return new Call(
                "POST",
                "/acct/T00",
                "application/json",
                "{\"PartitionKey\":\"p\",\"RowKey\":\"" + rowKey + "\"" + member + "}");
    }

    private static Call get(String query) {
        return new Call("GET", "/acct/T00()?" + query, "application/json", "");
    }

    private static Call filter(String filter) {
        return get("$filter=" + filter.replace(" ", "%20"));
    }

    private static Call batch(int operations, int bytes) {
        StringBuilder body = new StringBuilder("--b\nContent-Type: multipart/mixed; boundary=c\n");
        for (int i = 0; i < operations; i++) {
            body.append("\n--c\n\nPUT /acct/T00(PartitionKey='p',RowKey='" + i + "') HTTP/1.1\n")
                    .append("\n{\"a\":1}");
        }
        body.append("\n--c--\n--b--\n");
        body.append(" ".repeat(Math.max(0, bytes - body.length())));
        return new Call("POST", "/acct/$batch", "multipart/mixed; boundary=b", body.toString());
    }

    private static Call policies(String... ids) {
        StringBuilder body = new StringBuilder("<SignedIdentifiers>");
        for (String id : ids) {
            body.append("<SignedIdentifier><Id>" + id + "</Id></SignedIdentifier>");
        }
        return new Call(
                "PUT",
                "/acct/T00?comp=acl",
                "application/xml",
                body.append("</SignedIdentifiers>").toString());
    }

    private static Call padded(Call call, int bytes) {
        return new Call(
                call.method(),
                call.target(),
                call.type(),
                call.body() + " ".repeat(bytes - call.body().length()));
    }

    private static String rule(String origins, String headers) {
        return "<CorsRule><AllowedMethods>GET</AllowedMethods><AllowedOrigins>"
                + origins
                + "</AllowedOrigins><AllowedHeaders>"
                + headers
                + "</AllowedHeaders><ExposedHeaders /><MaxAgeInSeconds>5</MaxAgeInSeconds>"
                + "</CorsRule>";
    }

    private static Call cors(String... rules) {
        return properties("<Cors>" + String.join("", rules) + "</Cors>");
    }

    private static Call retention(int days) {
        return properties(
                "<HourMetrics><Version>1.0</Version><Enabled>false</Enabled><RetentionPolicy>"
                        + "<Enabled>true</Enabled><Days>"
                        + days
                        + "</Days></RetentionPolicy></HourMetrics>");
    }

    private static Call properties(String settings) {
        return new Call(
                "PUT",
                "/acct/?restype=service&comp=properties",
                "application/xml",
                "<StorageServiceProperties>" + settings + "</StorageServiceProperties>");
    }

    static Stream<Lowered> rows() {
        return Stream.of(
                lowered(
                        "tableNameCharsMin",
                        5,
                        table("abcde"),
                        table("abcd"),
                        "400 OutOfRangeInput"),
                lowered(
                        "tableNameCharsMax",
                        4,
                        table("abcd"),
                        table("abcde"),
                        "400 OutOfRangeInput"),
                lowered(
                        "entityBodyBytesMax",
                        100,
                        padded(entity("1", ""), 100),
                        padded(entity("2", ""), 101),
                        "413 RequestBodyTooLarge"),
                lowered("pageEntitiesMax", 3, get("$top=3"), get("$top=4"), "400 InvalidInput"),
                lowered(
                        "selectNamesMax",
                        2,
                        get("$select=a,b"),
                        get("$select=a,b,c"),
                        "400 InvalidInput"),
                new Lowered(
                        "entity.sizeBytesMax",
                        2_048,
                        // 4 + 2 * 2 + 8 + 2 + 4 + 2 * chars
                        entity("1", ",\"a\":\"" + "x".repeat(1_013) + "\""),
                        entity("2", ",\"a\":\"" + "x".repeat(1_014) + "\""),
                        "400 EntityTooLarge",
                        "maximum allowed size (2KB)."),
                new Lowered(
                        "entity.propertiesMax",
                        2,
                        entity("1", ",\"a\":1,\"b\":2"),
                        entity("2", ",\"a\":1,\"b\":2,\"c\":3"),
                        "400 TooManyProperties",
                        "up to 2 properties"),
                new Lowered(
                        "entity.propertyNameCharsMax",
                        3,
                        entity("1", ",\"abc\":1"),
                        entity("2", ",\"abcd\":1"),
                        "400 PropertyNameTooLong",
                        "length (3)."),
                lowered(
                        "entity.keyCharsMax",
                        4,
                        entity("1234", ""),
                        entity("12345", ""),
                        "400 PropertyValueTooLarge"),
                new Lowered(
                        "entity.stringCharsMax",
                        5,
                        entity("1", ",\"a\":\"12345\""),
                        entity("2", ",\"a\":\"123456\""),
                        "400 PropertyValueTooLarge",
                        "should be 5 or less."),
                new Lowered(
                        "entity.binaryBytesMax",
                        3,
                        entity("1", ",\"a@odata.type\":\"Edm.Binary\",\"a\":\"AAAA\""),
                        entity("2", ",\"a@odata.type\":\"Edm.Binary\",\"a\":\"AAAAAA==\""),
                        "400 PropertyValueTooLarge",
                        "allowed size (3B)."),
                lowered(
                        "filter.charsMax",
                        6,
                        filter("a eq 1"),
                        filter("a eq 12"),
                        "400 InvalidInput"),
                lowered(
                        "filter.comparisonsMax",
                        15,
                        filter("a eq 1" + " or a eq 1".repeat(14)),
                        filter("a eq 1" + " or a eq 1".repeat(15)),
                        "400 InvalidInput"),
                lowered(
                        "filter.levelsMax",
                        3,
                        filter("a eq 1 and b eq 2"),
                        filter("a eq 1 and (b eq 2 or c eq 3)"),
                        "400 InvalidInput"),
                lowered(
                        "batch.bytesMax",
                        1_000,
                        batch(1, 1_000),
                        batch(1, 1_001),
                        "413 RequestBodyTooLarge"),
                new Lowered(
                        "batch.operationsMax",
                        2,
                        batch(2, 0),
                        batch(3, 0),
                        "202 ",
                        "exceeds the maximum 2 changes per change set."),
                lowered(
                        "settings.documentBytesMax",
                        200,
                        padded(policies("a"), 200),
                        padded(policies("a"), 201),
                        "413 RequestBodyTooLarge"),
                lowered("settings.policiesMax", 1, policies("a"), policies("a", "b"), XML_REFUSAL),
                lowered(
                        "settings.policyIdCharsMax",
                        2,
                        policies("ab"),
                        policies("abc"),
                        XML_REFUSAL),
                lowered("settings.retentionDaysMax", 7, retention(7), retention(8), XML_REFUSAL),
                lowered(
                        "settings.corsRulesMax",
                        1,
                        cors(rule("a", "")),
                        cors(rule("a", ""), rule("b", "")),
                        XML_REFUSAL),
                lowered(
                        "settings.corsOriginsMax",
                        1,
                        cors(rule("a", "")),
                        cors(rule("a,b", "")),
                        XML_REFUSAL),
                lowered(
                        "settings.corsHeadersMax",
                        1,
                        cors(rule("a", "x,y*")),
                        cors(rule("a", "x,y,z*")),
                        XML_REFUSAL),
                lowered(
                        "settings.corsHeaderPrefixesMax",
                        1,
                        cors(rule("a", "x,y*")),
                        cors(rule("a", "x*,y*")),
                        XML_REFUSAL),
                lowered(
                        "settings.corsValueCharsMax",
                        3,
                        cors(rule("abc", "x")),
                        cors(rule("abcd", "x")),
                        XML_REFUSAL),
                lowered(
                        "settings.corsValuesBytesMax",
                        7,
                        cors(rule("abc", "x")),
                        cors(rule("abcd", "x")),
                        XML_REFUSAL));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void requestIsRejected_whenItExceedsLoweredLimit(Lowered row) {
        ServiceUnderTest service = service(lower(row.limit(), row.value()));
        String within = code(send(service, row.within()));
        assertThat(within).as("at the limit").startsWith("2");
        HttpAnswer beyond = send(service, row.beyond());
        assertThat(code(beyond)).isEqualTo(row.refusal());
        assertThat(ServiceUnderTest.text(beyond.body())).contains(row.text());

        HttpAnswer byDefault = send(service(TableLimits.OF_THE_SERVICE), row.beyond());
        assertThat(code(byDefault)).as("by default").startsWith("2");
        assertThat(ServiceUnderTest.text(byDefault.body())).doesNotContain("error");
    }

    @Test
    void everyConfigurableLimitIsCoveredByCase() {
        List<String> limits = new ArrayList<>();
        collect(TableLimits.class, "", limits);
        assertThat(limits)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(rows().map(Lowered::limit), WITHOUT_REFUSAL.stream())
                                .toList());
    }

    @Test
    void limitSettingIsRejected_whenZeroNegativeOrBeyondStorage() {
        List<String> limits = new ArrayList<>();
        collect(TableLimits.class, "", limits);
        limits.remove("clockSkewMax");
        for (String limit : limits) {
            String name = limit.substring(limit.indexOf('.') + 1);
            for (int value : new int[] {0, -1, Integer.MAX_VALUE}) {
                assertThatThrownBy(() -> lower(limit, value))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(name + ": " + value + " (expected: ");
            }
        }
        assertThatThrownBy(() -> lower("clockSkewMax", Duration.ofHours(2)))
                .hasMessageContaining("clockSkewMax: PT2H (expected: 0s..1h)");
    }

    @Test
    void queryIntervalsAreMerged_whenIntervalLimitIsExceeded() {
        ServiceUnderTest service = service(lower("queryIntervalsMax", 1));
        Call two = filter("PartitionKey eq 'a' or PartitionKey eq 'c'");
        assertThat(code(send(service, two))).isEqualTo("200 ");
        assertThat(service.store.lastQuery.orElseThrow().intervals()).hasSize(1);
        ServiceUnderTest byDefault = service(TableLimits.OF_THE_SERVICE);
        send(byDefault, two);
        assertThat(byDefault.store.lastQuery.orElseThrow().intervals()).hasSize(2);
    }

    @Test
    void requestIsRejected_whenClockSkewExceedsLimit() {
        ServiceUnderTest service = service(lower("clockSkewMax", Duration.ofMinutes(1)));
        service.now = ServiceUnderTest.NOW.plusSeconds(59);
        assertThat(code(send(service, get("")))).isEqualTo("200 ");
        service.now = ServiceUnderTest.NOW.plusSeconds(61);
        assertThat(code(send(service, get("")))).isEqualTo("403 AuthenticationFailed");
    }

    private static ServiceUnderTest service(TableLimits limits) {
        ServiceUnderTest service =
                new ServiceUnderTest(
                        RecordCopy.with(TableServiceConfig.defaults(), Map.of("limits", limits)));
        service.store.createTable(
                new io.parterre.key.AccountId(1), "T00", ServiceUnderTest.NOW.plusSeconds(9));
        return service;
    }

    private static HttpAnswer send(ServiceUnderTest service, Call call) {
        return service.sendSigned(
                call.method(),
                call.target(),
                HeaderList.of("Content-Type", call.type(), "Prefer", "return-no-content"),
                call.body().getBytes(UTF_8));
    }

    private static String code(HttpAnswer answer) {
        return answer.status() + " " + answer.headers().first("x-ms-error-code").orElse("");
    }

    private static TableLimits lower(String limit, Object value) {
        return (TableLimits) with(TableLimits.OF_THE_SERVICE, limit, value);
    }

    /** The same record with one component, a path through records, set to another value. */
    private static Object with(Record record, String path, Object value) {
        String name = path.contains(".") ? path.substring(0, path.indexOf('.')) : path;
        RecordComponent[] components = record.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        try {
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                values[i] = components[i].getAccessor().invoke(record);
                if (components[i].getName().equals(name)) {
                    values[i] =
                            name.equals(path)
                                    ? value
                                    : with(
                                            (Record) values[i],
                                            path.substring(name.length() + 1),
                                            value);
                }
            }
            return record.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (java.lang.reflect.InvocationTargetException refused) {
            throw (RuntimeException) refused.getCause();
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void collect(Class<?> type, String prefix, List<String> paths) {
        for (RecordComponent component : type.getRecordComponents()) {
            String path = prefix + component.getName();
            if (component.getType().isRecord()) {
                collect(component.getType(), path + ".", paths);
            } else {
                paths.add(path);
            }
        }
    }
}
