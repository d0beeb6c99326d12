package io.parterre.frontend.settings;

import io.parterre.directory.AccessPolicy;
import io.parterre.directory.CorsRule;
import io.parterre.frontend.config.Problems;

/**
 * Limits of the settings of a table or of the service. None can be raised beyond the service's
 * limit, which is what the directory stores. Stored settings stay in force when a limit is lowered.
 * Source: docs/protocol.md 3.10 and 3.11.
 *
 * @param documentBytesMax bytes of a document: about thirty times the largest valid one
 * @param policiesMax access policies of a table
 * @param policyIdCharsMax UTF-16 code units of a policy's id
 * @param retentionDaysMax days for which logs and metrics are kept
 * @param corsRulesMax CORS rules
 * @param corsOriginsMax origins of a rule
 * @param corsHeadersMax headers that a rule names in full, separately for allowed and exposed ones
 * @param corsHeaderPrefixesMax headers that a rule names by their prefix, separately for allowed
 *     and exposed ones
 * @param corsValueCharsMax characters of an origin or a header
 * @param corsValuesBytesMax bytes of all values of all rules
 */
public record SettingsLimits(
        int documentBytesMax,
        int policiesMax,
        int policyIdCharsMax,
        int retentionDaysMax,
        int corsRulesMax,
        int corsOriginsMax,
        int corsHeadersMax,
        int corsHeaderPrefixesMax,
        int corsValueCharsMax,
        int corsValuesBytesMax) {
    /** The limits of the service. */
    public static final SettingsLimits OF_THE_SERVICE =
            new SettingsLimits(
                    128 << 10,
                    AccessPolicy.POLICIES_MAX,
                    AccessPolicy.ID_CHARS_MAX,
                    365,
                    CorsRule.RULES_MAX,
                    64,
                    64,
                    2,
                    256,
                    2_048);

    public SettingsLimits {
        new Problems()
                .range("documentBytesMax", documentBytesMax, 1, 1 << 20)
                .range("policiesMax", policiesMax, 1, AccessPolicy.POLICIES_MAX)
                .range("policyIdCharsMax", policyIdCharsMax, 1, AccessPolicy.ID_CHARS_MAX)
                .range("retentionDaysMax", retentionDaysMax, 1, 365)
                .range("corsRulesMax", corsRulesMax, 1, CorsRule.RULES_MAX)
                .range("corsOriginsMax", corsOriginsMax, 1, 64)
                .range("corsHeadersMax", corsHeadersMax, 1, 64)
                .range("corsHeaderPrefixesMax", corsHeaderPrefixesMax, 1, 2)
                .range("corsValueCharsMax", corsValueCharsMax, 1, 256)
                .range("corsValuesBytesMax", corsValuesBytesMax, 1, 2_048)
                .refuseIfAny();
    }
}
