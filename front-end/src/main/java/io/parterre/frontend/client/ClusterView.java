package io.parterre.frontend.client;

import io.parterre.frontend.auth.Account;
import io.parterre.frontend.route.RangeMap;
import io.parterre.quota.QuotaLimits;
import io.parterre.range.NodeId;
import java.util.Map;

/**
 * What this front end knows of the cluster. Immutable.
 *
 * @param addresses addresses of the nodes' RangeServices
 * @param accounts accounts by name
 * @param quotas quotas that this front end grants
 */
record ClusterView(
        String clusterId,
        RangeMap map,
        Map<NodeId, String> addresses,
        Map<String, Account> accounts,
        QuotaLimits quotas) {
    static final ClusterView EMPTY =
            new ClusterView("", RangeMap.EMPTY, Map.of(), Map.of(), QuotaLimits.NONE);

    ClusterView {
        addresses = Map.copyOf(addresses);
        accounts = Map.copyOf(accounts);
    }

    ClusterView withMap(RangeMap newMap) {
        return newMap == map
                ? this
                : new ClusterView(clusterId, newMap, addresses, accounts, quotas);
    }

    /** Returns whether the view is enough to answer clients. */
    boolean isUsable() {
        return map.size() > 0 && !accounts.isEmpty();
    }
}
