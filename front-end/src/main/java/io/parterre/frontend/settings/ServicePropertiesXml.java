package io.parterre.frontend.settings;

import io.parterre.directory.LoggingProperties;
import io.parterre.directory.MetricsProperties;
import io.parterre.directory.ServiceProperties;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Settings of the service as {@code StorageServiceProperties}. Versions up to 2012-02-12 have only
 * one kind of metrics, the hourly ones, and no CORS rules. Source: docs/protocol.md 3.11.
 * Stateless; thread-safe.
 */
public final class ServicePropertiesXml {
    private static final String ROOT = "StorageServiceProperties";
    private static final String VERSION = "1.0";

    private ServicePropertiesXml() {}

    /**
     * Parses a change. Settings that are not named stay unchanged; named ones must be complete.
     *
     * @param early whether the request's version is at most 2012-02-12; then everything must be
     *     named
     * @throws io.parterre.error.StorageException {@code INVALID_XML_DOCUMENT}
     */
    public static ServiceProperties.Change read(
            byte[] body, int offset, int length, boolean early, SettingsLimits limits) {
        XmlElement root = XmlReader.read(body, offset, length).named(ROOT);
        if (early) {
            root.having("Logging", "Metrics");
            return new ServiceProperties.Change(
                    Optional.of(logging(root.require("Logging"), limits)),
                    Optional.of(metrics(root.require("Metrics"), limits)),
                    Optional.empty(),
                    Optional.empty());
        }
        root.having("Logging", "HourMetrics", "MinuteMetrics", "Cors");
        return new ServiceProperties.Change(
                root.child("Logging").map(each -> logging(each, limits)),
                root.child("HourMetrics").map(each -> metrics(each, limits)),
                root.child("MinuteMetrics").map(each -> metrics(each, limits)),
                root.child("Cors").map(each -> CorsXml.read(each, limits)));
    }

    private static LoggingProperties logging(XmlElement element, SettingsLimits limits) {
        element.having("Version", "Read", "Write", "Delete", "RetentionPolicy");
        checkVersion(element);
        return new LoggingProperties(
                truth(element, "Read"),
                truth(element, "Write"),
                truth(element, "Delete"),
                retentionDays(element, limits));
    }

    private static MetricsProperties metrics(XmlElement element, SettingsLimits limits) {
        element.having("Version", "Enabled", "IncludeAPIs", "RetentionPolicy");
        checkVersion(element);
        boolean enabled = truth(element, "Enabled");
        boolean includeApis =
                (enabled || element.child("IncludeAPIs").isPresent())
                        && truth(element, "IncludeAPIs");
        return new MetricsProperties(enabled, includeApis, retentionDays(element, limits));
    }

    private static OptionalInt retentionDays(XmlElement element, SettingsLimits limits) {
        XmlElement policy = element.require("RetentionPolicy").having("Enabled", "Days");
        boolean enabled = truth(policy, "Enabled");
        if (!enabled && policy.child("Days").isEmpty()) {
            return OptionalInt.empty();
        }
        int days = number(policy.require("Days").value());
        if (days < 1 || days > limits.retentionDaysMax()) {
            throw XmlElement.invalid();
        }
        return enabled ? OptionalInt.of(days) : OptionalInt.empty();
    }

    private static void checkVersion(XmlElement element) {
        if (!element.require("Version").value().equals(VERSION)) {
            throw XmlElement.invalid();
        }
    }

    private static boolean truth(XmlElement element, String name) {
        String text = element.require(name).value();
        if (text.equalsIgnoreCase("true")) {
            return true;
        }
        if (text.equalsIgnoreCase("false")) {
            return false;
        }
        throw XmlElement.invalid();
    }

    /** Parses a whole number that is not negative; any other text is invalid. */
    static int number(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw XmlElement.invalid();
        }
        throw XmlElement.invalid();
    }

    /** Returns the document with these settings. */
    public static byte[] write(ServiceProperties properties, boolean early) {
        XmlText out = new XmlText().open(ROOT);
        write(properties.logging(), out);
        if (early) {
            write("Metrics", properties.hourMetrics(), out);
        } else {
            write("HourMetrics", properties.hourMetrics(), out);
            write("MinuteMetrics", properties.minuteMetrics(), out);
            CorsXml.write(properties.cors(), out);
        }
        return out.close(ROOT).toBytes();
    }

    private static void write(LoggingProperties logging, XmlText out) {
        out.open("Logging")
                .element("Version", VERSION)
                .element("Read", Boolean.toString(logging.read()))
                .element("Write", Boolean.toString(logging.write()))
                .element("Delete", Boolean.toString(logging.delete()));
        writeRetention(logging.retentionDays(), out);
        out.close("Logging");
    }

    private static void write(String name, MetricsProperties metrics, XmlText out) {
        out.open(name)
                .element("Version", VERSION)
                .element("Enabled", Boolean.toString(metrics.enabled()));
        if (metrics.enabled()) {
            out.element("IncludeAPIs", Boolean.toString(metrics.includeApis()));
        }
        writeRetention(metrics.retentionDays(), out);
        out.close(name);
    }

    private static void writeRetention(OptionalInt days, XmlText out) {
        out.open("RetentionPolicy").element("Enabled", Boolean.toString(days.isPresent()));
        days.ifPresent(count -> out.element("Days", Integer.toString(count)));
        out.close("RetentionPolicy");
    }
}
