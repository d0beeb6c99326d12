package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.directory.AccessPolicy;
import io.parterre.directory.ServiceProperties;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityView;
import io.parterre.entity.Property;
import io.parterre.error.Blame;
import io.parterre.error.StorageException;
import io.parterre.filter.EntityPredicate;
import io.parterre.filter.Filter;
import io.parterre.filter.FilterCodec;
import io.parterre.frontend.fuzz.FuzzRun;
import io.parterre.frontend.settings.AccessPolicyXml;
import io.parterre.frontend.settings.ServicePropertiesXml;
import io.parterre.frontend.settings.SettingsLimits;
import io.parterre.frontend.store.EntityPosition;
import io.parterre.frontend.table.BatchParser;
import io.parterre.frontend.table.ContinuationTokens;
import io.parterre.frontend.table.EntityBody;
import io.parterre.frontend.table.EntityLimits;
import io.parterre.frontend.table.EntityReader;
import io.parterre.frontend.table.FilterParser;
import io.parterre.frontend.table.QueryOptions;
import io.parterre.frontend.table.QueryPlanner;
import io.parterre.key.AccountId;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Whatever comes in, a parser yields a value or the protocol's refusal, soon and without much
 * memory; and what it yields is fit for what comes after it.
 */
final class ParserFuzzTest {
    private static final Scope SCOPE = Scope.ofTable(new AccountId(1), new ObjectId(7));

    /** What the server's side of a filter costs is not the front end's. */
    private static final int SMALL_BYTES = 4_096;

    private static final EntityView ENTITY =
            EntityView.of(
                    KeyCodec.entity(SCOPE, "p", "r"),
                    EntityCodec.encodeValue(
                            5,
                            EntityCodec.encodeBlock(
                                    List.of(
                                            new Property("a", new EdmValue.Int32Value(1)),
                                            new Property("b", new EdmValue.StringValue("x"))))));

    /** Runs it unless it is refused for what it is. */
    private static void unlessRefused(Runnable parsing) {
        try {
            parsing.run();
        } catch (StorageException refusal) {
            assertThat(refusal.code().blame()).isEqualTo(Blame.CALLER);
            assertThat(refusal.getMessage()).isNotEmpty();
        }
    }

    @Test
    void filterParserReturnsFilterOrClientError_forFuzzedText() throws Exception {
        List<String> seeds =
                new ArrayList<>(CaseSeeds.of(exchange -> CaseSeeds.parameter(exchange, "$filter")));
        seeds.add("(".repeat(32_000) + "a eq 1" + ")".repeat(32_000));
        seeds.add("(".repeat(65_536));
        seeds.add("not ".repeat(16_000) + "a");
        seeds.add("not(".repeat(16_000));
        seeds.add("a eq '" + "''".repeat(32_000));
        seeds.add("a eq " + "9".repeat(60_000));
        seeds.add("a eq " + "9".repeat(30_000) + "." + "9".repeat(30_000) + "e999999999");
        seeds.add("a eq 1 and (".repeat(5_000));
        seeds.add("a eq X'" + "0".repeat(60_001));
        seeds.add("a or ".repeat(13_000) + "a");
        QueryPlanner planner = new QueryPlanner(1_000);
        FuzzRun.run(
                "filter",
                seeds,
                new String[] {
                    " eq ",
                    " ne ",
                    " gt ",
                    " ge ",
                    " lt ",
                    " le ",
                    " and ",
                    " or ",
                    "not ",
                    "not(",
                    "(",
                    ")",
                    "'",
                    "''",
                    "null",
                    "true",
                    "false",
                    "PartitionKey eq 'a'",
                    "RowKey gt 'b'",
                    "Timestamp",
                    "datetime'2020-01-01T00:00:00Z'",
                    "datetime'0001-01-01'",
                    "guid'",
                    "X'00'",
                    "binary'",
                    "1.5",
                    "-1",
                    "5L",
                    "1e308",
                    "1e-999",
                    "NaN",
                    "-INF",
                    "a",
                    "1",
                    "startswith(",
                    "/",
                    ",",
                    "add"
                },
                input ->
                        unlessRefused(
                                () -> {
                                    Filter filter = FilterParser.parse(new String(input, UTF_8));
                                    new EntityPredicate(planner.plan(filter).residual())
                                            .test(ENTITY);
                                    byte[] sent = FilterCodec.encode(filter);
                                    if (input.length < SMALL_BYTES) {
                                        assertThat(FilterCodec.decode(sent)).isEqualTo(filter);
                                    }
                                }));
    }

    @Test
    void entityReaderReturnsEntityOrClientError_forFuzzedBody() throws Exception {
        List<String> seeds =
                new ArrayList<>(CaseSeeds.of(exchange -> CaseSeeds.body(exchange, "json")));
        String keys = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",";
        seeds.add(keys + "\"Timestamp\":" + "[".repeat(60_000));
        seeds.add(keys + "\"odata.x\":" + "{\"a\":".repeat(12_000));
        seeds.add(keys + "\"a\":" + "9".repeat(60_000) + "}");
        seeds.add(keys + "\"a\":1e" + "9".repeat(60_000) + "}");
        seeds.add(keys + "\"a\":0." + "0".repeat(60_000) + "1}");
        seeds.add(keys + "\"a@odata.type\":\"Edm.Binary\",\"a\":\"" + "A".repeat(60_000) + "\"}");
        seeds.add(keys + "\"" + "a".repeat(60_000) + "\":1}");
        seeds.add(keys + "\"a\":\"" + "\\ud800".repeat(10_000) + "\"}");
        EntityReader reader = new EntityReader(EntityLimits.OF_THE_SERVICE);
        FuzzRun.run(
                "json",
                seeds,
                new String[] {
                    "\"PartitionKey\":\"p\"",
                    "\"RowKey\":\"r\"",
                    "\"a\":1",
                    ",",
                    "{",
                    "}",
                    "[",
                    "]",
                    ":",
                    "null",
                    "true",
                    "1.5",
                    "-0",
                    "1e999",
                    "\\u0000",
                    "\\ud800",
                    "\\udc00",
                    "@odata.type",
                    "\"Edm.Int64\"",
                    "\"Edm.Binary\"",
                    "\"Edm.DateTime\"",
                    "\"Edm.Guid\"",
                    "\"Edm.Double\"",
                    "\"Edm.Int32\"",
                    "\"Edm.Boolean\"",
                    "\"Edm.String\"",
                    "\"NaN\"",
                    "\"2020-01-01T00:00:00.1234567Z\"",
                    "TableName",
                    "Timestamp",
                    "odata.etag",
                    "//",
                    "/**/",
                    "\ufeff"
                },
                input -> {
                    unlessRefused(() -> look(reader.readForInsert(input, 0, input.length)));
                    unlessRefused(
                            () -> look(reader.readForUpdate(input, 0, input.length, "p", "r")));
                    unlessRefused(() -> EntityReader.readTableName(input, 3, 63));
                });
    }

    /** What was read can be stored, and read again as what it was. */
    private static void look(EntityBody entity) {
        List<Property> properties = EntityCodec.decodeBlock(entity.block());
        assertThat(EntityCodec.encodeBlock(properties)).isEqualTo(entity.block());
    }

    @Test
    void batchParserReturnsBatchOrClientError_forFuzzedBody() throws Exception {
        List<String> seeds =
                new ArrayList<>(CaseSeeds.of(exchange -> CaseSeeds.body(exchange, "multipart")));
        seeds.add("multipart/mixed; boundary=b\n" + "--b\n".repeat(15_000));
        seeds.add("multipart/mixed; boundary=b\n--b\n" + "a:b\n".repeat(15_000));
        seeds.add(
                "multipart/mixed; boundary=b\n--b\nContent-Type: multipart/mixed; boundary=b\n\n"
                        + "--b\n\nGET / HTTP/1.1\n\n".repeat(2_000));
        seeds.add(
                "multipart/mixed; boundary=b\n--b\nContent-Type: multipart/mixed; boundary=c\n\n"
                        + "--c\n\n".repeat(10_000));
        seeds.add("multipart/mixed; boundary=" + "-".repeat(60_000) + "\n--");
        BatchParser parser = new BatchParser(100);
        FuzzRun.run(
                "batch",
                seeds,
                new String[] {
                    "--b\r\n",
                    "--b--",
                    "--c\r\n",
                    "--c--",
                    "\r\n",
                    "\r\n\r\n",
                    "\n\n",
                    "\r",
                    "Content-Type: multipart/mixed; boundary=c\r\n",
                    "Content-Type: application/http\r\n",
                    "Content-Length: 99999999999\r\n",
                    "Transfer-Encoding: chunked\r\n",
                    "boundary=",
                    "boundary=\"\"",
                    "boundary=\"",
                    "GET /acct/T00() HTTP/1.1\r\n",
                    "POST http://h/acct/T00 HTTP/1.1\r\n",
                    "If-Match: *\r\n",
                    "Content-ID: 1\r\n",
                    "{\"RowKey\":\"r\"}",
                    " HTTP/1.1",
                    ":",
                    "--"
                },
                input -> {
                    Part first = Part.of(input);
                    unlessRefused(() -> parser.parse(Optional.of(first.head()), first.rest()));
                });
    }

    /** The first line, and what follows it. */
    @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
    record Part(String head, byte[] rest) {
        static Part of(byte[] input) {
            int end = 0;
            while (end < input.length && input[end] != '\n') {
                end++;
            }
            return new Part(
                    new String(input, 0, end, ISO_8859_1),
                    Arrays.copyOfRange(input, Math.min(input.length, end + 1), input.length));
        }
    }

    @Test
    void continuationTokenIsExactOrClientError_forFuzzedText() throws Exception {
        ContinuationTokens entities = ContinuationTokens.ofEntities("acct", "T00");
        ContinuationTokens tables = ContinuationTokens.ofTables("acct");
        List<EntityPosition> positions =
                List.of(
                        EntityPosition.FIRST,
                        new EntityPosition("p", "r"),
                        new EntityPosition("p", "r\0"),
                        new EntityPosition("é\ud83d\ude00", "\ud800"));
        List<String> seeds =
                new ArrayList<>(
                        CaseSeeds.of(
                                exchange ->
                                        exchange.target().contains("?")
                                                ? java.util.stream.Stream.of(
                                                        exchange.target()
                                                                .substring(
                                                                        exchange.target()
                                                                                .indexOf('?')))
                                                : java.util.stream.Stream.empty()));
        seeds.removeIf(query -> !query.contains("Next"));
        for (EntityPosition position : positions) {
            String row = entities.headers(position).first("x-ms-continuation-NextRowKey").get();
            seeds.add(
                    "NextPartitionKey="
                            + entities.headers(position)
                                    .first("x-ms-continuation-NextPartitionKey")
                                    .get()
                            + "&NextRowKey="
                            + row);
        }
        seeds.add("NextPartitionKey=1!60000!" + "A".repeat(60_000));
        seeds.add("NextTableName=1!4!" + "!".repeat(60_000));
        FuzzRun.run(
                "token",
                seeds,
                new String[] {
                    "NextPartitionKey=",
                    "NextRowKey=",
                    "NextTableName=",
                    "&",
                    "!",
                    "%21",
                    "%2521",
                    "1!0!",
                    "1!16!",
                    "1!",
                    "-",
                    "--",
                    "*",
                    "_",
                    "=",
                    "%00",
                    "%C0%80",
                    "AAAA"
                },
                input -> {
                    String text = new String(input, UTF_8);
                    unlessRefused(
                            () -> {
                                QueryOptions options = QueryOptions.parse(text);
                                EntityPosition position = entities.entityPosition(options);
                                same(position, options, entities);
                                tables.tablePosition(options);
                            });
                });
    }

    /** A position comes from the very tokens that are given out for it, but for their spelling. */
    private static void same(
            EntityPosition position, QueryOptions options, ContinuationTokens entities) {
        String given = options.nonEmpty("NextRowKey").orElse("");
        String own = entities.headers(position).first("x-ms-continuation-NextRowKey").get();
        assertThat(spelling(given)).isIn("", spelling(own));
    }

    private static String spelling(String token) {
        return token.replace("%21", "!").replace('-', '=').replace('_', '/').replace('*', '+');
    }

    @Test
    void settingsReaderReturnsValueOrClientError_forFuzzedXML() throws Exception {
        List<String> seeds =
                new ArrayList<>(CaseSeeds.of(exchange -> CaseSeeds.body(exchange, "xml")));
        seeds.add("<a>".repeat(20_000));
        seeds.add("<a " + "b=\"c\" ".repeat(10_000) + "/>");
        seeds.add("<SignedIdentifiers>" + "<SignedIdentifier/>".repeat(4_000));
        seeds.add("<SignedIdentifiers>" + "&#x41;".repeat(10_000) + "</SignedIdentifiers>");
        seeds.add("<SignedIdentifiers>" + "<!---->".repeat(8_000) + "</SignedIdentifiers>");
        FuzzRun.run(
                "xml",
                seeds,
                new String[] {
                    "<SignedIdentifier>",
                    "</SignedIdentifier>",
                    "<Id>a</Id>",
                    "<AccessPolicy>",
                    "<Start>",
                    "<Expiry>",
                    "<Permission>raud</Permission>",
                    "<CorsRule>",
                    "<Cors>",
                    "<Days>365</Days>",
                    "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///dev/null\">]>",
                    "&b;",
                    "&lt;",
                    "&#0;",
                    "&#xD800;",
                    "<![CDATA[",
                    "]]>",
                    "<!--",
                    "-->",
                    "<?xml",
                    "encoding=\"utf-16\"",
                    "xmlns:a=\"b\"",
                    "\ufeff",
                    "2020-01-01T00:00:00Z"
                },
                input -> {
                    unlessRefused(() -> policies(input));
                    unlessRefused(() -> properties(input));
                });
    }

    private static void policies(byte[] input) {
        List<AccessPolicy> read =
                AccessPolicyXml.read(input, 0, input.length, SettingsLimits.OF_THE_SERVICE);
        byte[] told = AccessPolicyXml.write(read);
        assertThat(AccessPolicyXml.read(told, 0, told.length, SettingsLimits.OF_THE_SERVICE))
                .isEqualTo(read);
    }

    private static void properties(byte[] input) {
        ServiceProperties.Change read =
                ServicePropertiesXml.read(
                        input, 0, input.length, false, SettingsLimits.OF_THE_SERVICE);
        ServiceProperties changed = ServiceProperties.DEFAULT.with(read);
        byte[] told = ServicePropertiesXml.write(changed, false);
        assertThat(
                        ServiceProperties.DEFAULT.with(
                                ServicePropertiesXml.read(
                                        told,
                                        0,
                                        told.length,
                                        false,
                                        SettingsLimits.OF_THE_SERVICE)))
                .isEqualTo(changed);
    }
}
