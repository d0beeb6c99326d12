package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** No call, however odd, is answered with a fault of ours. */
final class ServiceProperties {
    private final ServiceUnderTest service = new ServiceUnderTest();

    ServiceProperties() {
        service.sendSigned(
                "POST",
                "/acct/Tables",
                HeaderList.of("Content-Type", "application/json"),
                "{\"TableName\":\"T00\"}".getBytes(ISO_8859_1));
    }

    private static Arbitrary<String> joined(int sizeMax, String... pieces) {
        return Arbitraries.of(pieces).list().ofMaxSize(sizeMax).map(all -> String.join("", all));
    }

    @Provide
    Arbitrary<String> targets() {
        return joined(
                9,
                "/acct/",
                "Tables",
                "T00",
                "()",
                "(PartitionKey='p',RowKey='r')",
                "('T00')",
                "$batch",
                "?",
                "&",
                "$filter=a%20eq%201",
                "$top=5",
                "$select=a,b",
                "NextPartitionKey=1!20!cN6kdTrnpNAvA4gZ9w--",
                "timeout=3",
                "%",
                "%27",
                "(",
                "'",
                "comp=acl",
                "$format=atom",
                "/",
                "-secondary");
    }

    @Provide
    Arbitrary<String> bodies() {
        return joined(
                9,
                "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"}",
                "{\"TableName\":\"T01\"}",
                "{}",
                "--b\n",
                "--b--\n",
                "Content-Type: multipart/mixed; boundary=c\n",
                "\n",
                "--c\n",
                "PUT /T00(PartitionKey='p',RowKey='r') HTTP/1.1\n",
                "DELETE /T00(PartitionKey='p',RowKey='r') HTTP/1.1\nIf-Match: *\n",
                "GET /T00() HTTP/1.1\n",
                "--c--\n",
                "x");
    }

    @Provide
    Arbitrary<List<String>> headerValues() {
        return Arbitraries.of(
                        "application/json",
                        "multipart/mixed; boundary=b",
                        "*/*",
                        "*",
                        "W/\"a\"",
                        "W/\"datetime'2021-05-26T15%3A48%3A24.2507202Z'\"",
                        "MERGE",
                        "return-no-content",
                        "2015-12-11",
                        "")
                .list()
                .ofSize(6);
    }

    @Property(tries = 3_000)
    void randomRequestNeverCausesInternalError(
            @ForAll("targets") String target,
            @ForAll("bodies") String body,
            @ForAll("headerValues") List<String> values) {
        for (String method : List.of("GET", "POST", "PUT", "MERGE", "DELETE")) {
            HeaderList headers =
                    HeaderList.of(
                            "Content-Type", values.get(0),
                            "Accept", values.get(1),
                            "If-Match", values.get(2),
                            "Prefer", values.get(3));
            if (values.get(4).equals("MERGE")) {
                headers = headers.with("X-HTTP-Method", "MERGE");
            }
            HttpAnswer answer =
                    service.sendSigned(method, target, headers, body.getBytes(ISO_8859_1));
            assertThat(answer.status())
                    .as(method + " " + target + " " + ServiceUnderTest.text(answer.body()))
                    .isNotEqualTo(500);
        }
    }
}
