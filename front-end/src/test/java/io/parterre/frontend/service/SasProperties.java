package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Access signatures of any text: refused as what they are, never answered with a fault of ours. */
final class SasProperties {
    private static final byte[] NOTHING = new byte[0];

    private final ServiceUnderTest service = new ServiceUnderTest();

    SasProperties() {
        service.sendSigned(
                "POST",
                "/acct/Tables",
                HeaderList.of("Content-Type", "application/json"),
                "{\"TableName\":\"T00\"}".getBytes(ISO_8859_1));
    }

    @Provide
    Arbitrary<String> queries() {
        Arbitrary<String> names =
                Arbitraries.of(
                        "sv",
                        "tn",
                        "sp",
                        "st",
                        "se",
                        "sip",
                        "spr",
                        "spk",
                        "srk",
                        "epk",
                        "erk",
                        "si",
                        "ss",
                        "srt",
                        "ses",
                        "SV",
                        "x",
                        "api-version",
                        "comp",
                        "");
        Arbitrary<String> values =
                Arbitraries.oneOf(
                        Arbitraries.of(
                                "2019-02-02",
                                "2012-02-12",
                                "2020-12-06",
                                "0000-00-00",
                                "T00",
                                "raud",
                                "r",
                                "2021-05-27",
                                "2021-05-27T00:00:00Z",
                                "9999-12-31",
                                "-2021-05-27",
                                "2021-05-27T24:00Z",
                                "127.0.0.1",
                                "::1",
                                "::",
                                "1::2::3",
                                "0-0",
                                "https",
                                "https,http",
                                "%00",
                                "%0A",
                                "%FF",
                                "%",
                                "%F0%9F%98%80",
                                "t",
                                "sco",
                                "p1",
                                "acl",
                                "'",
                                "\"",
                                "99999999999"),
                        Arbitraries.strings().withCharRange(' ', '~').ofMaxLength(12));
        return names.flatMap(name -> values.map(value -> name + "=" + value))
                .list()
                .ofMaxSize(12)
                .map(fields -> String.join("&", fields));
    }

    @Property(tries = 3_000)
    void sasIsRejected_whenSignatureIsWrong(@ForAll("queries") String query) {
        HttpAnswer answer = send("/acct/T00()?" + query + "&sig=AAAA");
        assertThat(answer.status()).as(query).isIn(400, 403, 501);
    }

    /** Rightly signed, whatever it says: it is decided by what it says. */
    @Property(tries = 3_000)
    void signedSasNeverCausesInternalError_forAnyFields(@ForAll("queries") String query) {
        String clean = query.replaceAll("%(?![0-9A-F]{2})|%FF|#", "");
        String signed = ClientSas.query(ServiceUnderTest.KEY, "acct", "sv=2019-02-02&" + clean);
        for (String path : List.of("/acct/T00()?", "/acct/Tables?", "/acct/$batch?")) {
            HttpAnswer answer = send(path + signed);
            assertThat(answer.status()).as(path + signed).isIn(200, 400, 403, 404, 405, 501);
        }
    }

    /** The order of parameters is nobody's business; dropping any one of them is. */
    @Property(tries = 200)
    void sasIgnoresFieldOrderButRejectsMissingField(@ForAll long seed) {
        List<String> fields =
                new ArrayList<>(
                        List.of(
                                "sv=2019-02-02",
                                "tn=T00",
                                "sp=r",
                                "st=2021-05-26",
                                "se=2021-05-27",
                                "sip=127.0.0.1",
                                "spr=https,http",
                                "spk=a",
                                "srk=b",
                                "epk=c",
                                "erk=d"));
        String signed = ClientSas.query(ServiceUnderTest.KEY, "acct", String.join("&", fields));
        fields.add(signed.substring(signed.indexOf("sig=")));
        Collections.shuffle(fields, new Random(seed));
        assertThat(send("/acct/T00()?" + String.join("&", fields)).status()).isEqualTo(200);
        fields.remove(0);
        assertThat(send("/acct/T00()?" + String.join("&", fields)).status()).isEqualTo(403);
    }

    private HttpAnswer send(String target) {
        HeaderList headers =
                HeaderList.of("Host", ServiceUnderTest.HOST, "x-ms-version", "2019-02-02");
        return service.send("GET", target, headers, NOTHING);
    }
}
