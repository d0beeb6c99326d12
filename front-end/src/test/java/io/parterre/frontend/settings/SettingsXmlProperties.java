package io.parterre.frontend.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.directory.AccessPolicy;
import io.parterre.directory.CorsRule;
import io.parterre.directory.LoggingProperties;
import io.parterre.directory.MetricsProperties;
import io.parterre.directory.ServiceProperties;
import io.parterre.entity.Ticks;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Documents of any bytes, and documents of our own read again. */
final class SettingsXmlProperties {
    private static final String ID_LETTERS = "aZ09 -_<>&\"'\r\n\té\u3042";

    /** Reads, or says what is wrong in the one way there is. */
    private static void readsOrRefuses(byte[] body, Consumer<byte[]> reading) {
        try {
            reading.accept(body);
        } catch (StorageException refused) {
            assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_XML_DOCUMENT);
        }
    }

    private static void policies(byte[] body) {
        AccessPolicyXml.read(body, 0, body.length, SettingsLimits.OF_THE_SERVICE);
    }

    private static void properties(byte[] body) {
        ServicePropertiesXml.read(body, 0, body.length, false, SettingsLimits.OF_THE_SERVICE);
    }

    @Property(tries = 500)
    void settingsXmlIsReadOrRejected_forRandomBytes(@ForAll @Size(max = 300) byte[] body) {
        readsOrRefuses(body, SettingsXmlProperties::policies);
        readsOrRefuses(body, SettingsXmlProperties::properties);
    }

    @Property(tries = 1_000)
    void settingsXmlIsReadOrRejected_whenDocumentIsCorrupt(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int damages) {
        Random random = new Random(seed);
        byte[] policies = AccessPolicyXml.write(somePolicies(random));
        byte[] properties = ServicePropertiesXml.write(someProperties(random), false);
        for (int i = 0; i < damages; i++) {
            policies[random.nextInt(policies.length)] = (byte) random.nextInt(256);
            properties[random.nextInt(properties.length)] = (byte) random.nextInt(256);
        }
        readsOrRefuses(policies, SettingsXmlProperties::policies);
        readsOrRefuses(properties, SettingsXmlProperties::properties);
    }

    @Property(tries = 500)
    void settingsXmlIsReadOrRejected_withAnyDeclaredEncoding(
            @ForAll @Size(max = 12) String encoding) {
        byte[] body =
                ("<?xml version='1.0' encoding='" + encoding + "'?><SignedIdentifiers/>")
                        .getBytes(UTF_8);
        readsOrRefuses(body, SettingsXmlProperties::policies);
    }

    @Property(tries = 500)
    void settingsXmlReadReturnsWhatWriteWrote(@ForAll long seed) {
        Random random = new Random(seed);
        List<AccessPolicy> policies = somePolicies(random);
        byte[] body = AccessPolicyXml.write(policies);
        assertThat(AccessPolicyXml.read(body, 0, body.length, SettingsLimits.OF_THE_SERVICE))
                .isEqualTo(policies);

        ServiceProperties properties = someProperties(random);
        byte[] told = ServicePropertiesXml.write(properties, false);
        assertThat(
                        ServicePropertiesXml.read(
                                told, 0, told.length, false, SettingsLimits.OF_THE_SERVICE))
                .isEqualTo(ServiceProperties.Change.to(properties));
    }

    private static List<AccessPolicy> somePolicies(Random random) {
        List<AccessPolicy> policies = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            StringBuilder id = new StringBuilder().append(i);
            for (int length = random.nextInt(60); length > 0; length--) {
                id.append(ID_LETTERS.charAt(random.nextInt(ID_LETTERS.length())));
            }
            policies.add(
                    new AccessPolicy(
                            id.toString(),
                            someTicks(random),
                            someTicks(random),
                            random.nextBoolean()
                                    ? Optional.of("raud".substring(random.nextInt(4)))
                                    : Optional.empty()));
        }
        return policies;
    }

    private static OptionalLong someTicks(Random random) {
        return random.nextBoolean()
                ? OptionalLong.of(random.nextLong(0, Ticks.MAX))
                : OptionalLong.empty();
    }

    private static ServiceProperties someProperties(Random random) {
        List<CorsRule> rules = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            rules.add(
                    new CorsRule(
                            List.of("GET", "PUT"),
                            List.of("http://" + random.nextInt(), "*"),
                            random.nextBoolean() ? List.of("a", "b*") : List.of(),
                            random.nextBoolean() ? List.of("x-ms-*") : List.of(),
                            random.nextInt(1_000)));
        }
        return new ServiceProperties(
                new LoggingProperties(
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextBoolean(),
                        someDays(random)),
                someMetrics(random),
                someMetrics(random),
                rules);
    }

    private static MetricsProperties someMetrics(Random random) {
        return new MetricsProperties(random.nextBoolean(), random.nextBoolean(), someDays(random));
    }

    private static OptionalInt someDays(Random random) {
        return random.nextBoolean() ? OptionalInt.of(1 + random.nextInt(365)) : OptionalInt.empty();
    }
}
