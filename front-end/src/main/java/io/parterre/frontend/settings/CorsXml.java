package io.parterre.frontend.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.directory.CorsRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** CORS rules as {@code Cors}. Source: docs/protocol.md 3.11. Stateless; thread-safe. */
final class CorsXml {
    private static final Set<String> METHODS =
            Set.of("DELETE", "GET", "HEAD", "MERGE", "PATCH", "POST", "OPTIONS", "PUT");

    private CorsXml() {}

    /**
     * Parses all rules.
     *
     * @throws io.parterre.error.StorageException {@code INVALID_XML_DOCUMENT}
     */
    static List<CorsRule> read(XmlElement cors, SettingsLimits limits) {
        if (cors.children().size() > limits.corsRulesMax()) {
            throw XmlElement.invalid();
        }
        List<CorsRule> rules = new ArrayList<>();
        int bytes = 0;
        for (XmlElement child : cors.children()) {
            CorsRule rule = rule(child.named("CorsRule"), limits);
            bytes += valueBytes(rule);
            rules.add(rule);
        }
        if (bytes > limits.corsValuesBytesMax()) {
            throw XmlElement.invalid();
        }
        return rules;
    }

    private static CorsRule rule(XmlElement element, SettingsLimits limits) {
        element.having(
                "AllowedMethods",
                "AllowedOrigins",
                "AllowedHeaders",
                "ExposedHeaders",
                "MaxAgeInSeconds");
        List<String> methods = values(element.require("AllowedMethods"), limits);
        List<String> origins = values(element.require("AllowedOrigins"), limits);
        if (methods.isEmpty()
                || !METHODS.containsAll(methods)
                || origins.isEmpty()
                || origins.size() > limits.corsOriginsMax()) {
            throw XmlElement.invalid();
        }
        return new CorsRule(
                methods,
                origins,
                headers(element.require("AllowedHeaders"), limits),
                headers(element.require("ExposedHeaders"), limits),
                ServicePropertiesXml.number(element.require("MaxAgeInSeconds").value()));
    }

    /** Returns literal names first, then prefixes, each in the given order. */
    private static List<String> headers(XmlElement element, SettingsLimits limits) {
        List<String> values = values(element, limits);
        List<String> literal = values.stream().filter(value -> !value.endsWith("*")).toList();
        List<String> prefixed = values.stream().filter(value -> value.endsWith("*")).toList();
        if (literal.size() > limits.corsHeadersMax()
                || prefixed.size() > limits.corsHeaderPrefixesMax()) {
            throw XmlElement.invalid();
        }
        return Stream.concat(literal.stream(), prefixed.stream()).toList();
    }

    private static List<String> values(XmlElement element, SettingsLimits limits) {
        List<String> values = new ArrayList<>();
        for (String part : element.value().split(",")) {
            String value = part.strip();
            if (value.length() > limits.corsValueCharsMax() || !isHeaderText(value)) {
                throw XmlElement.invalid();
            }
            if (!value.isEmpty()) {
                values.add(value);
            }
        }
        return values;
    }

    /**
     * Returns whether a value may be part of a header. Any other value can match no header, and
     * must not get into an answer.
     */
    private static boolean isHeaderText(String value) {
        return value.chars().allMatch(unit -> unit > ' ' && unit < 0x7F);
    }

    private static int valueBytes(CorsRule rule) {
        return Stream.of(
                        rule.allowedMethods(),
                        rule.allowedOrigins(),
                        rule.allowedHeaders(),
                        rule.exposedHeaders())
                .mapToInt(values -> String.join(",", values).getBytes(UTF_8).length)
                .sum();
    }

    static void write(List<CorsRule> rules, XmlText out) {
        if (rules.isEmpty()) {
            out.empty("Cors");
            return;
        }
        out.open("Cors");
        for (CorsRule rule : rules) {
            out.open("CorsRule")
                    .element("AllowedMethods", String.join(",", rule.allowedMethods()))
                    .element("AllowedOrigins", String.join(",", rule.allowedOrigins()))
                    .element("AllowedHeaders", String.join(",", rule.allowedHeaders()))
                    .element("ExposedHeaders", String.join(",", rule.exposedHeaders()))
                    .element("MaxAgeInSeconds", Integer.toString(rule.maxAgeSeconds()))
                    .close("CorsRule");
        }
        out.close("Cors");
    }
}
