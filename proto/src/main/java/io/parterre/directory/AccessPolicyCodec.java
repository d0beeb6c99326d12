package io.parterre.directory;

import io.parterre.proto.directory.AccessPolicies;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Converts access policies in commands and in directory rows. Stateless; safe for any thread. */
public final class AccessPolicyCodec {
    private AccessPolicyCodec() {}

    public static AccessPolicies toProto(List<AccessPolicy> policies) {
        AccessPolicies.Builder message = AccessPolicies.newBuilder();
        for (AccessPolicy policy : policies) {
            io.parterre.proto.directory.AccessPolicy.Builder out =
                    message.addPoliciesBuilder().setId(policy.id());
            policy.startTicks().ifPresent(out::setStartTicks);
            policy.expiryTicks().ifPresent(out::setExpiryTicks);
            policy.permissions().ifPresent(out::setPermissions);
        }
        return message.build();
    }

    /**
     * Reads policies.
     *
     * @throws IllegalArgumentException if there are too many, or an id is empty or too long
     */
    public static List<AccessPolicy> fromProto(AccessPolicies message) {
        if (message.getPoliciesCount() > AccessPolicy.POLICIES_MAX) {
            throw new IllegalArgumentException(
                    "policies: "
                            + message.getPoliciesCount()
                            + " (expected: 0.."
                            + AccessPolicy.POLICIES_MAX
                            + ")");
        }
        return message.getPoliciesList().stream().map(AccessPolicyCodec::fromProto).toList();
    }

    private static AccessPolicy fromProto(io.parterre.proto.directory.AccessPolicy message) {
        int idChars = message.getId().length();
        if (idChars < 1 || idChars > AccessPolicy.ID_CHARS_MAX) {
            throw new IllegalArgumentException(
                    "id: "
                            + idChars
                            + " characters (expected: 1.."
                            + AccessPolicy.ID_CHARS_MAX
                            + ")");
        }
        return new AccessPolicy(
                message.getId(),
                message.hasStartTicks()
                        ? OptionalLong.of(message.getStartTicks())
                        : OptionalLong.empty(),
                message.hasExpiryTicks()
                        ? OptionalLong.of(message.getExpiryTicks())
                        : OptionalLong.empty(),
                message.hasPermissions()
                        ? Optional.of(message.getPermissions())
                        : Optional.empty());
    }
}
