package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.fuzz.FuzzRun;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whole calls whose credential or body is almost right: never a fault of ours. */
final class ServiceFuzzTest {
    private static final byte[] NOTHING = new byte[0];

    /** Calls until the store is made again, so that answers stay small. */
    private static final int CALLS_PER_STORE = 200;

    private ServiceUnderTest service;
    private int calls;

    private ServiceUnderTest service() {
        if (calls++ % CALLS_PER_STORE == 0) {
            service = new ServiceUnderTest();
            service.sendSigned(
                    "POST",
                    "/acct/Tables",
                    HeaderList.of("Content-Type", "application/json"),
                    "{\"TableName\":\"T00\"}".getBytes(UTF_8));
            service.sendSigned(
                    "POST",
                    "/acct/T00",
                    HeaderList.of("Content-Type", "application/json"),
                    "{\"PartitionKey\":\"b\",\"RowKey\":\"r\",\"a\":1}".getBytes(UTF_8));
        }
        return service;
    }

    private static void assertNoFault(HttpAnswer answer) {
        assertThat(answer.status())
                .as(ServiceUnderTest.text(answer.body()))
                .isNotEqualTo(500)
                .isBetween(200, 599);
    }

    /** Queries with an access signature as they are, and signed again with whatever they say. */
    @Test
    void fuzzedSasNeverCausesInternalError() throws Exception {
        List<String> seeds =
                new ArrayList<>(
                        CaseSeeds.of(
                                exchange ->
                                        exchange.target().contains("sig=")
                                                ? Stream.of(
                                                        exchange.target()
                                                                .substring(
                                                                        exchange.target()
                                                                                        .indexOf(
                                                                                                '?')
                                                                                + 1))
                                                : Stream.empty()));
        assertThat(seeds).isNotEmpty();
        seeds.add("sv=2019-02-02&tn=T00&sp=" + "r".repeat(60_000) + "&se=2021-05-27");
        seeds.add("sv=2019-02-02&tn=T00&sp=r&se=2021-05-27&spk=" + "%41".repeat(20_000));
        seeds.add("&".repeat(60_000) + "sig=");
        FuzzRun.run(
                "sas",
                seeds,
                new String[] {
                    "sv=",
                    "sv=2019-02-02",
                    "sv=2012-02-12",
                    "sv=9999-99-99",
                    "&",
                    "=",
                    "tn=",
                    "tn=T00",
                    "tn=t00",
                    "tn=t00%00",
                    "sp=raud",
                    "sp=",
                    "se=2021-05-27",
                    "se=2021-05-27T00:00:00.0000000Z",
                    "st=0000-00-00",
                    "se=9999-12-31T23:59:60Z",
                    "sip=127.0.0.1",
                    "sip=127.0.0.1-255.255.255.255",
                    "sip=::1",
                    "sip=1.2.3.4-",
                    "spr=https,http",
                    "spr=https",
                    "si=policy",
                    "spk=a",
                    "srk=b",
                    "epk=c",
                    "erk=d",
                    "ss=t",
                    "srt=sco",
                    "ses=x",
                    "sig=",
                    "sig=AAAA",
                    "sig=%41%3D",
                    "%",
                    "%00",
                    "%C0%80",
                    "%ED%A0%80",
                    "$filter=PartitionKey%20eq%20'b'",
                    "comp=acl"
                },
                input -> {
                    String query = new String(input, ISO_8859_1);
                    assertNoFault(get(query));
                    for (String signed : signed(query)) {
                        assertThat(get(signed).status()).isIn(200, 400, 403, 404, 405, 501);
                    }
                });
    }

    private HttpAnswer get(String query) {
        HeaderList headers =
                HeaderList.of("Host", ServiceUnderTest.HOST, "x-ms-version", "2019-02-02");
        return service().send("GET", "/acct/T00()?" + query, headers, NOTHING);
    }

    /** Our own client cannot sign what it cannot read. */
    private static List<String> signed(String query) {
        String unsigned = query.replaceAll("&?sig=[^&]*", "");
        try {
            return List.of(ClientSas.query(ServiceUnderTest.KEY, "acct", unsigned));
        } catch (IllegalArgumentException | NullPointerException unreadable) {
            return List.of();
        }
    }

    /** Batches all the way to the store and back. */
    @Test
    void fuzzedBatchNeverCausesInternalError() throws Exception {
        List<String> seeds =
                new ArrayList<>(CaseSeeds.of(exchange -> CaseSeeds.body(exchange, "multipart")));
        FuzzRun.run(
                "batch",
                seeds,
                new String[] {
                    "--b\r\n",
                    "--c\r\n",
                    "--c--\r\n",
                    "\r\n",
                    "\n",
                    "PUT",
                    "MERGE",
                    "DELETE",
                    "POST /T00 HTTP/1.1\r\n",
                    "/acct/T00(PartitionKey='b',RowKey='r')",
                    "$batch",
                    "GET /acct/T00() HTTP/1.1\r\n",
                    "If-Match: *\r\n",
                    "If-Match: W/\"x\"\r\n",
                    "Prefer: return-content\r\n",
                    "Accept: application/json\r\n",
                    "?$filter=a",
                    "{\"PartitionKey\":\"b\",\"RowKey\":\"s\"}",
                    "%27",
                    "%",
                    "'",
                    "Content-ID: 1\r\n"
                },
                input -> {
                    ParserFuzzTest.Part first = ParserFuzzTest.Part.of(input);
                    assertNoFault(
                            service()
                                    .sendSigned(
                                            "POST",
                                            "/acct/$batch",
                                            HeaderList.of("Content-Type", first.head()),
                                            first.rest()));
                });
    }
}
