package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import java.net.URLEncoder;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever comes in, a parser yields a value or the protocol's error: never anything else. */
final class ParserProperties {
    private static void yieldsOrRefuses(Runnable parsing) {
        try {
            parsing.run();
        } catch (StorageException refusal) {
            assertThat(refusal.getMessage()).isNotEmpty();
            assertThat(refusal.code().status()).isBetween(400, 501);
        }
    }

    private static Arbitrary<String> shuffled(String... pieces) {
        Arbitrary<String> known = Arbitraries.of(pieces);
        Arbitrary<String> unknown = Arbitraries.strings().ofMaxLength(4);
        return Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(8, known), net.jqwik.api.Tuple.of(1, unknown))
                .list()
                .ofMaxSize(20)
                .map(list -> String.join("", list));
    }

    @Provide
    Arbitrary<String> filters() {
        return shuffled(
                "a",
                " ",
                "eq",
                "ne",
                "and",
                "or",
                "not",
                "(",
                ")",
                "'",
                "''",
                "5",
                "-",
                "1.5",
                "5L",
                "1e9",
                "X'00'",
                "guid'",
                "datetime'0001-01-01'",
                "null",
                "true",
                "NaN",
                ",",
                "/",
                "PartitionKey",
                "add",
                " eq ",
                " and ",
                " 'x'",
                "\u0000",
                "é");
    }

    @Property(tries = 2_000)
    void filterIsParsedOrRejected_forRandomText(@ForAll("filters") String filter) {
        yieldsOrRefuses(() -> new QueryPlanner(10).plan(FilterParser.parse(filter)));
    }

    @Provide
    Arbitrary<String> paths() {
        return shuffled(
                "/",
                "Tables",
                "$batch",
                "T00",
                "(",
                ")",
                "'",
                "%27",
                "PartitionKey=",
                "RowKey=",
                ",",
                " ",
                "%20",
                "%",
                "%zz",
                "%ff",
                "%C3%A9",
                "p",
                "''",
                "\\",
                "é",
                "=");
    }

    @Property(tries = 2_000)
    void resourcePathIsParsedOrRejected_forRandomText(@ForAll("paths") String path) {
        yieldsOrRefuses(() -> ResourcePath.parse("/" + path));
    }

    @Provide
    Arbitrary<String> queries() {
        return shuffled(
                "$top",
                "$select",
                "%24filter",
                "=",
                "&",
                "5",
                "a,b",
                "*",
                "NextPartitionKey",
                "1!20!YbG6JeRIDHeeiMSs3A--",
                "!",
                "%21",
                "timeout",
                "+",
                "%",
                "%f",
                "sv",
                "comp");
    }

    @Property(tries = 2_000)
    void queryOptionsAreParsedOrRejected_forRandomText(@ForAll("queries") String query) {
        yieldsOrRefuses(
                () -> {
                    QueryOptions options = QueryOptions.parse(query);
                    options.checkSystemOptions();
                    options.select(255);
                    options.top(1_000);
                    options.timeout(java.time.Duration.ofSeconds(30));
                    ContinuationTokens.ofEntities("acct", "T00").entityPosition(options);
                });
    }

    @Property(tries = 1_000)
    void continuationTokenIsParsedOrRejected_forRandomText(@ForAll String token) {
        readToken(token);
        readToken("1!" + token);
        readToken("1!" + token.length() + "!" + token);
    }

    private static void readToken(String token) {
        QueryOptions options =
                QueryOptions.parse("NextTableName=" + URLEncoder.encode(token, UTF_8));
        yieldsOrRefuses(() -> ContinuationTokens.ofTables("acct").tablePosition(options));
    }

    @Provide
    Arbitrary<String> bodies() {
        return shuffled(
                "{",
                "}",
                "[",
                "]",
                ":",
                ",",
                "\"",
                "\"PartitionKey\"",
                "\"RowKey\":\"r\"",
                "\"a@odata.type\":\"Edm.Int64\"",
                "\"a\":",
                "\"Timestamp\":",
                "\"odata.x\":",
                "null",
                "true",
                "1",
                "-",
                "1.5",
                "1e999",
                "\"Edm.Binary\"",
                "\\u",
                "\\ud800",
                "\"b@odata.type\":",
                "\uFEFF",
                " ",
                "{}",
                "[[",
                "NaN");
    }

    @Property(tries = 3_000)
    void entityBodyIsParsedOrRejected_forRandomJSON(@ForAll("bodies") String body) {
        EntityReader reader = new EntityReader(EntityLimits.OF_THE_SERVICE);
        byte[] bytes = body.getBytes(UTF_8);
        yieldsOrRefuses(() -> reader.readForInsert(bytes, 0, bytes.length));
        byte[] object = ("{\"PartitionKey\":\"p\",\"RowKey\":\"r\"," + body + "}").getBytes(UTF_8);
        yieldsOrRefuses(() -> reader.readForInsert(object, 0, object.length));
        yieldsOrRefuses(() -> reader.readForUpdate(object, 0, object.length, "p", "r"));
        yieldsOrRefuses(() -> EntityReader.readTableName(bytes, 3, 63));
    }

    @Property(tries = 500)
    void entityOrBatchBodyIsParsedOrRejected_forRandomBytes(@ForAll byte[] body) {
        EntityReader reader = new EntityReader(EntityLimits.OF_THE_SERVICE);
        yieldsOrRefuses(() -> reader.readForInsert(body, 0, body.length));
        yieldsOrRefuses(
                () -> new BatchParser(100).parse(Optional.of("multipart/mixed; boundary=b"), body));
    }

    @Provide
    Arbitrary<String> batches() {
        return shuffled(
                "--b",
                "--b--",
                "--c",
                "--c--",
                "\r\n",
                "\n",
                "\n\n",
                "Content-Type: multipart/mixed; boundary=c",
                "Content-Type: application/http",
                "POST /T HTTP/1.1",
                "GET /T",
                "If-Match: *",
                "{}",
                " ",
                "-",
                ":",
                "boundary=");
    }

    @Property(tries = 3_000)
    void batchIsParsedOrRejected_forRandomText(@ForAll("batches") String body) {
        yieldsOrRefuses(
                () ->
                        new BatchParser(3)
                                .parse(
                                        Optional.of("multipart/mixed; boundary=b"),
                                        body.getBytes(ISO_8859_1)));
    }

    @Provide
    Arbitrary<String> headers() {
        return shuffled(
                "application/json",
                ";",
                "odata",
                "=",
                "nometadata",
                "\"",
                ",",
                "*/*",
                " ",
                "W/\"",
                "datetime'",
                "2020-01-01T00%3A00%3A00Z",
                "'\"",
                "*",
                "boundary=b",
                "multipart/mixed",
                "SharedKey",
                ":",
                "2019-02-02",
                "return-content");
    }

    @Property(tries = 2_000)
    void headersAreParsedOrRejected_forRandomText(@ForAll("headers") String value) {
        ApiVersion version = ApiVersion.parse(Optional.of("2019-02-02"));
        yieldsOrRefuses(
                () -> ContentNegotiation.level(Optional.empty(), Optional.of(value), version));
        yieldsOrRefuses(() -> ContentNegotiation.checkBodyType(Optional.of(value)));
        yieldsOrRefuses(() -> ETags.parse(value));
        yieldsOrRefuses(() -> ApiVersion.parse(Optional.of(value)));
        yieldsOrRefuses(() -> Preference.parse(Optional.of(value)));
        yieldsOrRefuses(() -> new BatchParser(3).parse(Optional.of(value), new byte[0]));
        yieldsOrRefuses(() -> Verb.of("POST", HeaderList.of("X-HTTP-Method", value)));
        yieldsOrRefuses(
                () -> TableAddress.of(false, Optional.of(value), value, List.of("example.com")));
    }
}
