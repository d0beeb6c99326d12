package io.parterre.manager.lead;

import io.parterre.manager.plan.policy.QuotaPolicy;

/**
 * What front ends have to know to hold clients to quotas: the figures for the whole cluster, and
 * among how many of them each is shared out.
 *
 * @param frontEnds that watch now; at least the one that is told
 */
public record QuotaShares(QuotaPolicy quotas, int frontEnds) {}
