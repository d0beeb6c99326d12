package io.parterre.directory;

import com.google.protobuf.InvalidProtocolBufferException;
import io.parterre.proto.directory.CorsRules;
import io.parterre.proto.directory.Logging;
import io.parterre.proto.directory.Metrics;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Converts settings of a service in commands, and as a directory row: {@code version(1)
 * properties}, with {@code parterre.directory.ServiceProperties}. Stateless; safe for any thread.
 */
public final class ServicePropertiesCodec {
    private static final byte VERSION = 1;

    private ServicePropertiesCodec() {}

    /** Returns the row of these settings. */
    public static byte[] encode(ServiceProperties properties) {
        byte[] message = toProto(ServiceProperties.Change.to(properties)).toByteArray();
        return ByteBuffer.allocate(1 + message.length).put(VERSION).put(message).array();
    }

    /**
     * Reads a row. A missing part has its default.
     *
     * @throws IllegalArgumentException if the bytes are no row of a known version
     */
    public static ServiceProperties decode(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] != VERSION) {
            throw new IllegalArgumentException("service properties: empty or of unknown version");
        }
        try {
            return ServiceProperties.DEFAULT.with(
                    fromProto(
                            io.parterre.proto.directory.ServiceProperties.parser()
                                    .parseFrom(bytes, 1, bytes.length - 1)));
        } catch (InvalidProtocolBufferException malformed) {
            throw new IllegalArgumentException("service properties: malformed", malformed);
        }
    }

    public static io.parterre.proto.directory.ServiceProperties toProto(
            ServiceProperties.Change change) {
        io.parterre.proto.directory.ServiceProperties.Builder message =
                io.parterre.proto.directory.ServiceProperties.newBuilder();
        change.logging().ifPresent(logging -> message.setLogging(toProto(logging)));
        change.hourMetrics().ifPresent(metrics -> message.setHourMetrics(toProto(metrics)));
        change.minuteMetrics().ifPresent(metrics -> message.setMinuteMetrics(toProto(metrics)));
        change.cors().ifPresent(rules -> message.setCors(toProto(rules)));
        return message.build();
    }

    private static Logging toProto(LoggingProperties logging) {
        return Logging.newBuilder()
                .setRead(logging.read())
                .setWrite(logging.write())
                .setDelete(logging.delete())
                .setRetentionDays(logging.retentionDays().orElse(0))
                .build();
    }

    private static Metrics toProto(MetricsProperties metrics) {
        return Metrics.newBuilder()
                .setEnabled(metrics.enabled())
                .setIncludeApis(metrics.includeApis())
                .setRetentionDays(metrics.retentionDays().orElse(0))
                .build();
    }

    private static CorsRules toProto(List<CorsRule> rules) {
        CorsRules.Builder message = CorsRules.newBuilder();
        for (CorsRule rule : rules) {
            message.addRulesBuilder()
                    .addAllAllowedMethods(rule.allowedMethods())
                    .addAllAllowedOrigins(rule.allowedOrigins())
                    .addAllAllowedHeaders(rule.allowedHeaders())
                    .addAllExposedHeaders(rule.exposedHeaders())
                    .setMaxAgeSeconds(rule.maxAgeSeconds());
        }
        return message.build();
    }

    /**
     * Reads a change.
     *
     * @throws IllegalArgumentException if a part breaks its type's rules
     */
    public static ServiceProperties.Change fromProto(
            io.parterre.proto.directory.ServiceProperties message) {
        return new ServiceProperties.Change(
                message.hasLogging()
                        ? Optional.of(fromProto(message.getLogging()))
                        : Optional.empty(),
                message.hasHourMetrics()
                        ? Optional.of(fromProto(message.getHourMetrics()))
                        : Optional.empty(),
                message.hasMinuteMetrics()
                        ? Optional.of(fromProto(message.getMinuteMetrics()))
                        : Optional.empty(),
                message.hasCors() ? Optional.of(fromProto(message.getCors())) : Optional.empty());
    }

    private static LoggingProperties fromProto(Logging message) {
        return new LoggingProperties(
                message.getRead(),
                message.getWrite(),
                message.getDelete(),
                days(message.getRetentionDays()));
    }

    private static MetricsProperties fromProto(Metrics message) {
        return new MetricsProperties(
                message.getEnabled(), message.getIncludeApis(), days(message.getRetentionDays()));
    }

    private static OptionalInt days(int days) {
        return days == 0 ? OptionalInt.empty() : OptionalInt.of(days);
    }

    private static List<CorsRule> fromProto(CorsRules message) {
        if (message.getRulesCount() > CorsRule.RULES_MAX) {
            throw new IllegalArgumentException(
                    "rules: "
                            + message.getRulesCount()
                            + " (expected: 0.."
                            + CorsRule.RULES_MAX
                            + ")");
        }
        return message.getRulesList().stream()
                .map(
                        rule ->
                                new CorsRule(
                                        rule.getAllowedMethodsList(),
                                        rule.getAllowedOriginsList(),
                                        rule.getAllowedHeadersList(),
                                        rule.getExposedHeadersList(),
                                        rule.getMaxAgeSeconds()))
                .toList();
    }
}
