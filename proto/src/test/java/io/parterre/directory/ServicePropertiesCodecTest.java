package io.parterre.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ServicePropertiesCodecTest {
    private static final CorsRule RULE =
            new CorsRule(List.of("GET"), List.of("*"), List.of("a", "b*"), List.of(), 5);
    private static final ServiceProperties PROPERTIES =
            new ServiceProperties(
                    new LoggingProperties(true, false, true, OptionalInt.of(7)),
                    new MetricsProperties(true, true, OptionalInt.empty()),
                    MetricsProperties.OFF,
                    List.of(RULE));

    @Test
    void codecReadsAndWritesServicePropertiesOfFirstFormat() {
        byte[] stored =
                HexFormat.of()
                        .parseHex(
                                "01"
                                        + "0a06080118012007"
                                        + "120408011001"
                                        + "1a00"
                                        + "2213"
                                        + "0a11"
                                        + "0a03474554"
                                        + "12012a"
                                        + "1a0161"
                                        + "1a02622a"
                                        + "2805");

        assertThat(ServicePropertiesCodec.decode(stored)).isEqualTo(PROPERTIES);
        assertThat(ServicePropertiesCodec.encode(PROPERTIES)).isEqualTo(stored);
    }

    @Test
    void changeKeepsServiceProperties_whenItDoesNotSetThem() {
        ServiceProperties.Change change =
                new ServiceProperties.Change(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(new MetricsProperties(true, false, OptionalInt.of(1))),
                        Optional.of(List.of()));

        ServiceProperties.Change read =
                ServicePropertiesCodec.fromProto(ServicePropertiesCodec.toProto(change));

        assertThat(read).isEqualTo(change);
        assertThat(PROPERTIES.with(read))
                .isEqualTo(
                        new ServiceProperties(
                                PROPERTIES.logging(),
                                PROPERTIES.hourMetrics(),
                                new MetricsProperties(true, false, OptionalInt.of(1)),
                                List.of()));
    }

    @Test
    void decodeRejectsServiceProperties_whenBytesAreMalformed() {
        for (String malformed : new String[] {"", "02", "010a", "012203"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () ->
                                    ServicePropertiesCodec.decode(
                                            HexFormat.of().parseHex(malformed)));
        }
    }
}
