package io.parterre.frontend.settings;

import io.parterre.directory.AccessPolicy;
import io.parterre.directory.CorsRule;
import io.parterre.frontend.config.Problems;

/**
 * How much the settings of a table or of the service may say. None can be raised beyond the
 * service's, which is what the directory keeps; what is stored already stays in force when a limit
 * is lowered. Source: docs/protocol.md 3.10 and 3.11.
 *
 * @param documentBytesMax bytes of a document: some thirty times the largest that can be valid
 * @param policiesMax access policies of a table
 * @param policyIdCharsMax UTF-16 code units of a policy's id
 * @param retentionDaysMax days that logs and metrics are kept
 * @param corsRulesMax rules for scripts of other origins
 * @param corsOriginsMax origins of a rule
 * @param corsHeadersMax headers that a rule names in full, allowed and exposed each
 * @param corsHeaderPrefixesMax headers that a rule names by their beginning, likewise
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
    /** Those of the service. */
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
