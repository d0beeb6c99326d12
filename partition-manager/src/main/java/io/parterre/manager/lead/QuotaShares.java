package io.parterre.manager.lead;

import io.parterre.manager.plan.policy.QuotaPolicy;

/**
 * What front ends need to enforce quotas: the quotas of the whole cluster, and the number of front
 * ends that share them.
 *
 * @param frontEnds number of front ends that watch now, including the receiver
 */
public record QuotaShares(QuotaPolicy quotas, int frontEnds) {}
