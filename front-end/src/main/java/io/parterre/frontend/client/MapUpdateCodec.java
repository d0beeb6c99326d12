package io.parterre.frontend.client;

import com.google.protobuf.ByteString;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.route.MapChange;
import io.parterre.key.AccountId;
import io.parterre.proto.manager.LeaderHint;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.Quotas;
import io.parterre.quota.Limit;
import io.parterre.quota.QuotaLimits;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.HashMap;
import java.util.Map;

/** Converts the manager's messages to values. Stateless; thread-safe. */
final class MapUpdateCodec {
    private MapUpdateCodec() {}

    /**
     * Returns what is known after an update.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static ClusterView apply(ClusterView before, MapUpdate update) {
        return new ClusterView(
                update.getClusterId().isEmpty() ? before.clusterId() : update.getClusterId(),
                before.map().after(change(update)),
                addresses(before, update),
                accounts(before, update),
                quotas(before, update));
    }

    /**
     * Returns the quotas after an update. A manager of an earlier release sends none; then the
     * known ones stay.
     */
    private static QuotaLimits quotas(ClusterView before, MapUpdate update) {
        if (!update.hasQuotas()) {
            return before.quotas();
        }
        Quotas quotas = update.getQuotas();
        double burstSeconds = Integer.toUnsignedLong(quotas.getBurstMillis()) / 1e3;
        int frontEnds = update.getFrontEnds();
        return new QuotaLimits(
                new Limit(
                        QuotaLimits.share(
                                quotas.getAccountRequestsPerSecond(), burstSeconds, frontEnds),
                        QuotaLimits.share(
                                quotas.getAccountEntitiesPerSecond(), burstSeconds, frontEnds)),
                new Limit(
                        QuotaLimits.share(
                                quotas.getTableRequestsPerSecond(), burstSeconds, frontEnds),
                        QuotaLimits.share(
                                quotas.getTableEntitiesPerSecond(), burstSeconds, frontEnds)));
    }

    private static MapChange change(MapUpdate update) {
        Map<RangeId, NodeId> leaders = new HashMap<>();
        for (LeaderHint hint : update.getLeadersList()) {
            leaders.put(new RangeId(hint.getRangeId()), new NodeId(hint.getNodeId()));
        }
        return new MapChange(
                update.getVersion(),
                update.getWhole(),
                update.getRangesList().stream().map(DescriptorCodec::fromProto).toList(),
                update.getRemovedRangesList().stream().map(RangeId::new).toList(),
                leaders);
    }

    private static Map<NodeId, String> addresses(ClusterView before, MapUpdate update) {
        if (!update.getWhole()
                && update.getNodesCount() == 0
                && update.getRemovedNodesCount() == 0) {
            return before.addresses();
        }
        Map<NodeId, String> addresses =
                update.getWhole() ? new HashMap<>() : new HashMap<>(before.addresses());
        update.getRemovedNodesList().forEach(gone -> addresses.remove(new NodeId(gone)));
        for (Node node : update.getNodesList()) {
            addresses.put(new NodeId(node.getNodeId()), node.getServiceAddress());
        }
        return addresses;
    }

    /** Returns whether an update may change what is known of accounts. */
    static boolean tellsAccounts(MapUpdate update) {
        return update.getWhole()
                || update.getAccountsCount() > 0
                || update.getRemovedAccountsCount() > 0;
    }

    private static Map<String, Account> accounts(ClusterView before, MapUpdate update) {
        if (!tellsAccounts(update)) {
            return before.accounts();
        }
        Map<String, Account> accounts =
                update.getWhole() ? new HashMap<>() : new HashMap<>(before.accounts());
        update.getRemovedAccountsList().forEach(accounts::remove);
        for (io.parterre.proto.manager.Account account : update.getAccountsList()) {
            accounts.put(
                    account.getName(),
                    new Account(
                            new AccountId(account.getAccountId()),
                            account.getName(),
                            account.getKeysList().stream().map(ByteString::toByteArray).toList(),
                            account.getSuspended()));
        }
        return accounts;
    }
}
