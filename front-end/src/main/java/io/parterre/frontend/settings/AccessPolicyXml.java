package io.parterre.frontend.settings;

import io.parterre.directory.AccessPolicy;
import io.parterre.entity.Ticks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Stored access policies as {@code SignedIdentifiers}. Source: docs/protocol.md 3.10. Stateless;
 * thread-safe.
 */
public final class AccessPolicyXml {
    private static final String PERMISSIONS = "raud";
    private static final int FRACTION_DIGITS_MAX = 7;

    /** The ticks of 0001-01-01T00:00:00Z. */
    private static final long TICKS_MIN = -62_135_596_800L * Ticks.PER_SECOND;

    private AccessPolicyXml() {}

    /**
     * Parses policies; a body without bytes means no policies.
     *
     * @throws io.parterre.error.StorageException {@code INVALID_XML_DOCUMENT}
     */
    public static List<AccessPolicy> read(
            byte[] body, int offset, int length, SettingsLimits limits) {
        if (length == 0) {
            return List.of();
        }
        XmlElement root = XmlReader.read(body, offset, length).named("SignedIdentifiers");
        if (root.children().size() > limits.policiesMax()) {
            throw XmlElement.invalid();
        }
        List<AccessPolicy> policies = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (XmlElement child : root.children()) {
            AccessPolicy policy = policy(child.named("SignedIdentifier"), limits);
            if (!ids.add(policy.id())) {
                throw XmlElement.invalid();
            }
            policies.add(policy);
        }
        return policies;
    }

    private static AccessPolicy policy(XmlElement identifier, SettingsLimits limits) {
        identifier.having("Id", "AccessPolicy");
        String id = identifier.require("Id").having().text();
        if (id.isEmpty() || id.length() > limits.policyIdCharsMax()) {
            throw XmlElement.invalid();
        }
        Optional<XmlElement> policy =
                identifier
                        .child("AccessPolicy")
                        .map(given -> given.having("Start", "Expiry", "Permission"));
        return new AccessPolicy(
                id, ticks(policy, "Start"), ticks(policy, "Expiry"), permissions(policy));
    }

    private static OptionalLong ticks(Optional<XmlElement> policy, String name) {
        Optional<String> text = text(policy, name);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong ticks = Ticks.parse(text.get());
        if (ticks.isEmpty()
                || ticks.getAsLong() < TICKS_MIN
                || ticks.getAsLong() > Ticks.MAX
                || fractionDigits(text.get()) > FRACTION_DIGITS_MAX) {
            throw XmlElement.invalid();
        }
        return ticks;
    }

    private static int fractionDigits(String time) {
        int at = time.indexOf('.') + 1;
        int end = at;
        while (at > 0 && end < time.length() && Character.isDigit(time.charAt(end))) {
            end++;
        }
        return end - at;
    }

    /** Returns the letters in the given order, each once. */
    private static Optional<String> permissions(Optional<XmlElement> policy) {
        Optional<String> text = text(policy, "Permission");
        text.ifPresent(
                letters -> {
                    boolean known =
                            letters.chars().allMatch(letter -> PERMISSIONS.indexOf(letter) >= 0);
                    if (!known || letters.chars().distinct().count() != letters.length()) {
                        throw XmlElement.invalid();
                    }
                });
        return text;
    }

    /** Returns the text of an element. An empty element means the same as an absent one. */
    private static Optional<String> text(Optional<XmlElement> policy, String name) {
        return policy.flatMap(given -> given.child(name))
                .map(XmlElement::value)
                .filter(text -> !text.isEmpty());
    }

    /** Returns the document with these policies. */
    public static byte[] write(List<AccessPolicy> policies) {
        XmlText out = new XmlText();
        if (policies.isEmpty()) {
            return out.empty("SignedIdentifiers").toBytes();
        }
        out.open("SignedIdentifiers");
        for (AccessPolicy policy : policies) {
            out.open("SignedIdentifier").element("Id", policy.id());
            if (!policy.isEmpty()) {
                out.open("AccessPolicy");
                policy.startTicks().ifPresent(at -> out.element("Start", Ticks.formatFull(at)));
                policy.expiryTicks().ifPresent(at -> out.element("Expiry", Ticks.formatFull(at)));
                policy.permissions().ifPresent(letters -> out.element("Permission", letters));
                out.close("AccessPolicy");
            }
            out.close("SignedIdentifier");
        }
        return out.close("SignedIdentifiers").toBytes();
    }
}
