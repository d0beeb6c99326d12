package io.parterre.frontend.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times and addresses of access signatures. Source: docs/protocol.md 8.5. */
final class SasPartsTest {
    @ParameterizedTest
    @CsvSource({
        "2021-05-26, 2021-05-26T00:00:00Z",
        "2021-05-26T15:48Z, 2021-05-26T15:48:00Z",
        "2021-05-26T15:48:24Z, 2021-05-26T15:48:24Z",
        "2021-05-26T15:48:24+02:00, 2021-05-26T13:48:24Z",
        "2021-05-26T15:48-08:00, 2021-05-26T23:48:00Z",
        "2021-05-26T15:48:24.1234567Z, 2021-05-26T15:48:24.1234567Z",
        "9999-12-31T23:59:59Z, 9999-12-31T23:59:59Z",
    })
    void sasTimeIsParsed_forEveryAllowedFormat(String text, String expected) {
        assertThat(TokenTime.parse(text)).contains(Instant.parse(expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2021",
                "2021-05",
                "2021-5-6",
                "2021-02-30",
                "20210526",
                "2021-05-26T",
                "2021-05-26T15Z",
                "2021-05-26T15:48",
                "2021-05-26 15:48Z",
                "2021-05-26T15:48:24",
                "2021-05-26T24:00Z",
                "2021-05-26T15:48:24z",
                "2021-05-26T15:48:24.12345678Z",
                "2021-05-26T15:48:24+0200",
                "2021-05-26T15:48:24+25:00",
                "+2021-05-26",
                "2021-05-26Z",
                "٢٠٢١-05-26"
            })
    void sasTimeIsRejected_whenMalformedOrIncomplete(String text) {
        assertThat(TokenTime.parse(text)).isEmpty();
    }

    private static boolean contains(String range, String address) {
        return IpRange.parse(range).orElseThrow().contains(IpAddress.parse(address).orElseThrow());
    }

    @Test
    void ipRangeContainsOnlyAddressesBetweenItsBounds() {
        assertThat(contains("10.0.0.1", "10.0.0.1")).isTrue();
        assertThat(contains("10.0.0.1", "10.0.0.2")).isFalse();
        assertThat(contains("10.0.0.1-10.0.1.0", "10.0.0.255")).isTrue();
        assertThat(contains("10.0.0.1-10.0.1.0", "10.0.1.0")).isTrue();
        assertThat(contains("10.0.0.1-10.0.1.0", "10.0.1.1")).isFalse();
        assertThat(contains("10.0.0.1-10.0.1.0", "10.0.0.0")).isFalse();
        assertThat(contains("127.0.0.1-200.0.0.1", "128.0.0.0")).isTrue();
        assertThat(contains("::1", "0:0:0:0:0:0:0:1")).isTrue();
        assertThat(contains("fe80::-fe80::ffff", "fe80::a")).isTrue();
        assertThat(contains("fe80::-fe80::ffff", "fe80::1:0")).isFalse();
        assertThat(contains("::-ffff::", "10.0.0.1")).isFalse();
    }

    /** A dual-stack socket shows clients of IPv4 as such. */
    @Test
    void ipv4MappedIpv6AddressIsTreatedAsIpv4() {
        assertThat(contains("10.0.0.1", "::ffff:10.0.0.1")).isTrue();
        assertThat(contains("::ffff:a00:1", "10.0.0.1")).isTrue();
        assertThat(IpAddress.parse("::ffff:10.0.0.1").orElseThrow()).hasToString("10.0.0.1");
        assertThat(IpAddress.parse("2001:db8::17").orElseThrow())
                .hasToString("2001:db8:0:0:0:0:0:17");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "10.0.0.1-",
                "-10.0.0.1",
                "10.0.0",
                "10.0.0.256",
                "10.0.0.01",
                "10.0.0.1-10.0.0.0",
                "10.0.0.1-::1",
                "10.0.0.1-10.0.0.2-10.0.0.3",
                "10.0.0.0/8",
                "localhost",
                ":",
                ":::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7::8",
                "12345::",
                "fe80::1%eth0",
                "[::1]",
                "::1.2.3"
            })
    void ipRangeIsRejected_whenMalformedOrReversed(String text) {
        assertThat(IpRange.parse(text)).isEqualTo(Optional.empty());
    }
}
