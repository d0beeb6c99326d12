package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Tokens that somebody has made more of than he was given: none gets in, and nothing is asked of
 * the cluster on their behalf. Source: docs/protocol.md 8.4 to 8.6.
 */
final class SasAttacksTest {
    private static final byte[] NOTHING = new byte[0];
    private static final String TABLE = "sv=2019-02-02&tn=T00&sp=r&se=2021-05-27&";
    private static final String RANGE =
            "sv=2019-02-02&tn=T00&sp=r&se=2021-05-27&spk=b&srk=1&epk=b&erk=2&";
    private static final String PLACE =
            "sv=2019-02-02&tn=T00&sp=r&st=2021-05-26&se=2021-05-27&sip=127.0.0.1&spr=https,http&";
    private static final String OLD = "sv=2014-02-14&tn=T00&sp=r&se=2021-05-27&";
    private static final String ACCOUNT = "sv=2019-02-02&ss=t&srt=o&sp=r&se=2021-05-27&";
    private static final String NEW_ACCOUNT =
            "sv=2020-12-06&ss=t&srt=o&sp=r&se=2021-05-27&ses=scope&";

    private final ServiceUnderTest service = new ServiceUnderTest();

    SasAttacksTest() {
        for (String table : new String[] {"T00", "T01"}) {
            service.sendSigned(
                    "POST",
                    "/acct/Tables",
                    HeaderList.of("Content-Type", "application/json"),
                    ("{\"TableName\":\"" + table + "\"}").getBytes(UTF_8));
        }
        service.store.lastDeadline = Instant.EPOCH;
    }

    private static String signed(String query) {
        String bare = query.substring(0, query.length() - 1);
        return ClientSas.query(ServiceUnderTest.KEY, "acct", bare);
    }

    private static String with(String query, String from, String to) {
        String signed = signed(query);
        assertThat(signed).contains(from);
        return signed.replaceFirst(Pattern.quote(from), to);
    }

    private static String get(String query) {
        return "GET /acct/T00()?" + query;
    }

    /** Changed after they were signed. */
    private static Map<String, String> tampered() {
        Map<String, String> calls = new LinkedHashMap<>();
        calls.put("more permissions", get(with(TABLE, "sp=r", "sp=raud")));
        calls.put("other permissions", get(with(TABLE, "sp=r", "sp=a")));
        calls.put("no permissions", get(with(TABLE, "sp=r", "sp=")));
        calls.put(
                "permissions in other order",
                get(with(TABLE.replace("sp=r", "sp=ra"), "sp=ra", "sp=ar")));
        calls.put("later expiry", get(with(TABLE, "se=2021-05-27", "se=2031-05-27")));
        calls.put("the same expiry in other words", get(with(TABLE, "05-27", "05-27T00:00Z")));
        calls.put("no expiry", get(with(TABLE, "se=2021-05-27", "x=y")));
        calls.put("earlier start", get(with(PLACE, "st=2021-05-26", "st=2011-05-26")));
        calls.put("no start", get(with(PLACE, "st=2021-05-26&", "")));
        calls.put("a start", get(with(TABLE, "se=", "st=2021-05-26&se=")));
        calls.put("another table", "GET /acct/T01()?" + with(TABLE, "tn=T00", "tn=T01"));
        calls.put("another address", get(with(PLACE, "sip=127.0.0.1", "sip=0.0.0.0")));
        calls.put("no address", get(with(PLACE, "sip=127.0.0.1&", "")));
        calls.put("a range of addresses", get(with(PLACE, "0.0.1", "0.0.1-127.0.0.2")));
        calls.put("another protocol", get(with(PLACE, "spr=https,http", "spr=https")));
        calls.put("no protocol", get(with(PLACE, "spr=https,http&", "")));
        calls.put("no first partition", get(with(RANGE, "spk=b&srk=1&", "")));
        calls.put("no first row", get(with(RANGE, "srk=1&", "")));
        calls.put("no last partition", get(with(RANGE, "epk=b&erk=2&", "")));
        calls.put("no last row", get(with(RANGE, "erk=2&", "")));
        calls.put("an earlier first partition", get(with(RANGE, "spk=b", "spk=a")));
        calls.put("a later last row", get(with(RANGE, "erk=2", "erk=3")));
        calls.put("first and last swapped", get(with(RANGE, "spk=b&srk=1", "spk=1&srk=b")));
        calls.put("a range moved a field on", get(with(RANGE, "srk=1&epk=b", "srk=b&epk=1")));
        calls.put("a policy", get(with(TABLE, "sp=r", "sp=r&si=p1")));
        calls.put("a policy in place of permissions", get(with(TABLE, "sp=r", "si=r")));
        return calls;
    }

    /** Taken elsewhere, or for something else. */
    private static Map<String, String> replayed() {
        Map<String, String> calls = new LinkedHashMap<>();
        calls.put("for another table", "GET /acct/T01()?" + signed(TABLE));
        calls.put("for a point of another table", entity("T01", signed(TABLE)));
        calls.put("for the list of tables", "GET /acct/Tables?" + signed(TABLE));
        calls.put("for the policies", "GET /acct/T00?comp=acl&" + signed(TABLE));
        calls.put(
                "for the properties",
                "GET /acct/?restype=service&comp=properties&" + signed(TABLE));
        calls.put("for another account", "GET /asleep/T00()?" + signed(TABLE));
        calls.put("for no account", "GET /nobody/T00()?" + signed(TABLE));
        calls.put("of an account for policies", "GET /acct/T00?comp=acl&" + signed(ACCOUNT));
        calls.put("of an account for tables", "GET /acct/Tables?" + signed(ACCOUNT));
        calls.put("of an account for another", "GET /asleep/T00()?" + signed(ACCOUNT));
        calls.put("of a table as an account's", get(with(TABLE, "tn=T00", "ss=t&srt=o")));
        calls.put("of an account as a table's", get(with(ACCOUNT, "ss=t&srt=o", "tn=T00")));
        calls.put("an account's with a table beside", get(with(ACCOUNT, "sv=", "tn=T00&sv=")));
        calls.put(
                "by query in a verb it has no letter for",
                "DELETE" + entity("T00", signed(TABLE)).substring(3));
        calls.put("at another version", get(with(TABLE, "sv=2019-02-02", "sv=2020-12-06")));
        calls.put(
                "at a version without addresses",
                get(with(PLACE, "sv=2019-02-02", "sv=2014-02-14")));
        calls.put("at a version with addresses", get(with(OLD, "sv=2014-02-14", "sv=2015-04-05")));
        calls.put(
                "at a version with the service", get(with(OLD, "sv=2014-02-14", "sv=2015-02-21")));
        calls.put(
                "at a version before tables",
                get(signed("sv=2011-08-18&tn=T00&sp=r&se=2021-05-27&")));
        calls.put(
                "at a version before accounts",
                get(signed("sv=2014-02-14&ss=t&srt=o&sp=r&se=2021-05-27&")));
        calls.put(
                "an account's at a newer version",
                get(with(ACCOUNT, "sv=2019-02-02", "sv=2020-12-06")));
        calls.put(
                "an account's at an older version",
                get(with(NEW_ACCOUNT, "sv=2020-12-06", "sv=2020-10-02")));
        calls.put("an account's without its scope", get(with(NEW_ACCOUNT, "&ses=scope", "")));
        calls.put("at no version", get(with(TABLE, "sv=2019-02-02&", "")));
        calls.put("at a version that is none", get(with(TABLE, "2019-02-02", "2019-13-45")));
        return calls;
    }

    /** An account's, changed; forged; or signed, but nonsense. */
    private static Map<String, String> forged() {
        Map<String, String> calls = new LinkedHashMap<>();
        calls.put("an account's for more services", get(with(ACCOUNT, "ss=t", "ss=tb")));
        calls.put(
                "an account's for more types",
                "GET /acct/Tables?" + with(ACCOUNT, "srt=o", "srt=sco"));
        calls.put("an account's with more letters", get(with(ACCOUNT, "sp=r", "sp=rwdlacu")));
        calls.put("an account's that never ends", get(with(ACCOUNT, "se=2021-05-27", "")));
        calls.put(
                "an account's with services and types swapped",
                get(with(ACCOUNT, "ss=t&srt=o", "ss=o&srt=t")));
        calls.put("no signature", get(TABLE + "sig="));
        calls.put("a short signature", get(TABLE + "sig=AAAA"));
        calls.put("a signature of zeros", get(TABLE + "sig=" + "A".repeat(43) + "%3D"));
        calls.put("no base64", get(TABLE + "sig=%3F%3F"));
        calls.put(
                "a signature by another key",
                get(ClientSas.query("no key".getBytes(UTF_8), "acct", TABLE + "x=y")));
        calls.put(
                "a signature by no key",
                get(ClientSas.query(new byte[] {0}, "acct", TABLE + "x=y")));
        calls.put("half a signature", get(signed(TABLE).replaceAll(".{20}$", "")));
        calls.put("the wrong signature first", get("sig=AAAA&" + signed(TABLE)));
        calls.put("its text twice", get(with(TABLE, "sp=r", "sp=raud&sp=r")));
        calls.put("a letter twice", get(signed("sv=2019-02-02&tn=T00&sp=rr&se=2021-05-27&")));
        calls.put(
                "a letter that is none", get(signed("sv=2019-02-02&tn=T00&sp=rx&se=2021-05-27&")));
        calls.put("signed without permissions", get(signed("sv=2019-02-02&tn=T00&se=2021-05-27&")));
        calls.put("signed without an end", get(signed("sv=2019-02-02&tn=T00&sp=r&")));
        calls.put(
                "signed with an end that is none",
                get(signed("sv=2019-02-02&tn=T00&sp=r&se=tomorrow&")));
        calls.put(
                "signed with a date that is none",
                get(signed("sv=2019-02-02&tn=T00&sp=r&se=2022-02-30&")));
        calls.put(
                "signed with a time of no zone",
                get(signed("sv=2019-02-02&tn=T00&sp=r&se=2021-05-27T00:00:00&")));
        calls.put(
                "signed for http alone",
                get(signed("sv=2019-02-02&tn=T00&sp=r&se=2021-05-27&spr=http&")));
        calls.put(
                "signed for a host by name",
                get(signed("sv=2019-02-02&tn=T00&sp=r&se=2021-05-27&sip=localhost&")));
        calls.put(
                "signed for addresses backwards",
                get(signed("sv=2019-02-02&tn=T00&sp=r&se=2021-05-27&sip=128.0.0.1-127.0.0.1&")));
        calls.put(
                "a row without its partition",
                get(signed("sv=2019-02-02&tn=T00&sp=r&se=2021-05-27&srk=1&")));
        calls.put(
                "a last row without its partition",
                get(signed("sv=2019-02-02&tn=T00&sp=r&se=2021-05-27&erk=1&")));
        calls.put(
                "a line feed that passes for a field",
                get(signed("sv=2019-02-02&tn=T00&sp=r&se=2021-05-27&spk=a%0Ab&")));
        calls.put("a policy nobody stored", get(signed("sv=2019-02-02&tn=T00&si=p1&")));
        calls.put(
                "a policy with too long a name",
                get(signed("sv=2019-02-02&tn=T00&si=" + "p".repeat(65) + "&")));
        calls.put(
                "an account's without types",
                get(signed("sv=2019-02-02&ss=t&sp=r&se=2021-05-27&")));
        calls.put(
                "an account's for a type that is none",
                get(signed("sv=2019-02-02&ss=t&srt=ox&sp=r&se=2021-05-27&")));
        return calls;
    }

    private static String entity(String table, String query) {
        return "GET /acct/" + table + "(PartitionKey='p',RowKey='r')?" + query;
    }

    @TestFactory
    Stream<DynamicTest> tamperedReplayedOrForgedSasIsRejected() {
        Map<String, String> calls = new LinkedHashMap<>();
        tampered().forEach((name, call) -> calls.put("tampered: " + name, call));
        replayed().forEach((name, call) -> calls.put("replayed: " + name, call));
        forged().forEach((name, call) -> calls.put("forged: " + name, call));
        assertThat(calls).hasSizeGreaterThan(70);
        return calls.entrySet().stream()
                .map(
                        call ->
                                DynamicTest.dynamicTest(
                                        call.getKey(), () -> refused(call.getValue())));
    }

    private void refused(String call) {
        String[] words = call.split(" ", 2);
        HttpAnswer answer =
                service.sendSigned(words[0], words[1], HeaderList.of("If-Match", "*"), NOTHING);
        assertThat(answer.status()).as(words[1]).isEqualTo(403);
        boolean asksForPolicy = words[1].contains("si=p");
        assertThat(service.store.lastDeadline.equals(Instant.EPOCH) || asksForPolicy)
                .as("the cluster is not asked")
                .isTrue();
        service.store.lastDeadline = Instant.EPOCH;
    }

    /** Otherwise the attacks above would prove nothing. */
    @Test
    void untamperedSasIsAccepted() {
        for (String query : new String[] {TABLE, RANGE, PLACE, OLD, ACCOUNT, NEW_ACCOUNT}) {
            HttpAnswer answer =
                    service.sendSigned(
                            "GET", "/acct/T00()?" + signed(query), HeaderList.EMPTY, NOTHING);
            assertThat(answer.status()).as(query).isEqualTo(200);
        }
    }
}
