package io.parterre.manager.rpc;

import io.parterre.manager.lead.Rehearsal;
import io.parterre.manager.map.JournalCodec;
import io.parterre.manager.plan.decide.WhatIf;
import io.parterre.manager.plan.explain.JournalFilter;
import io.parterre.manager.plan.explain.JournalNotes;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.PolicyKey;
import io.parterre.manager.plan.policy.PolicyTable;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.proto.admin.ListJournalResponse;
import io.parterre.proto.admin.PolicySetting;
import io.parterre.proto.admin.PolicyStatus;
import io.parterre.proto.admin.PolicyStatusValue;
import io.parterre.proto.admin.WhatIfResponse;
import io.parterre.proto.admin.WhatIfRound;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Converts the policy and decisions to messages for operators. Stateless and thread-safe. */
final class PlanCodec {
    /** Upper bound for each of many rounds. */
    private static final int DECISIONS_MAX = 200;

    private PlanCodec() {}

    static ListJournalResponse journal(JournalFilter.Page page) {
        return ListJournalResponse.newBuilder()
                .addAllEntries(page.entries().stream().map(JournalCodec::told).toList())
                .setLeftOut(page.leftOut())
                .build();
    }

    static PolicyStatus policy(ClusterView view) {
        PolicyStatus.Builder status =
                PolicyStatus.newBuilder().setVersion(view.map().policy().version());
        for (PolicyKey key : PolicyTable.KEYS) {
            status.addValues(
                    PolicyStatusValue.newBuilder()
                            .setKey(key.name())
                            .setValue(key.print(view.policy()))
                            .setDefaultValue(key.print(Policy.DEFAULT))
                            .setAllowed(key.allowed())
                            .setMeaning(key.meaning()));
        }
        return status.build();
    }

    /**
     * Returns the settings by key.
     *
     * @throws IllegalArgumentException if a key occurs twice
     */
    static Map<String, String> settings(List<PolicySetting> messages) {
        Map<String, String> settings = new TreeMap<>();
        for (PolicySetting message : messages) {
            if (settings.put(message.getKey(), message.getValue()) != null) {
                throw new IllegalArgumentException(
                        message.getKey() + ": two values (expected: one)");
            }
        }
        return settings;
    }

    static WhatIfResponse rehearsed(Rehearsal.Rehearsed rehearsed) {
        WhatIfResponse.Builder response =
                WhatIfResponse.newBuilder()
                        .addAllChanges(rehearsed.changes())
                        .setEnd(rehearsed.outcome().end());
        for (WhatIf.Round round : rehearsed.outcome().rounds()) {
            response.addRounds(
                    WhatIfRound.newBuilder()
                            .addAllDecisions(
                                    round.decisions().stream()
                                            .limit(DECISIONS_MAX)
                                            // A simulated decision has no time.
                                            .map(each -> JournalNotes.of(each, Instant.EPOCH))
                                            .map(JournalCodec::told)
                                            .toList())
                            .setLeftOut(Math.max(0, round.decisions().size() - DECISIONS_MAX)));
        }
        return response.build();
    }
}
