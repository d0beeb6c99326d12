package io.parterre.deploy.backup;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.KeySpace;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.backup.RestoredTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Maps the tables of a backup to those of a cluster. Accounts and tables have other ids there, so
 * keys get another prefix; nothing else of a row changes. Immutable.
 */
final class RestoreTargets {
    private final Map<Key, Key> scopes = new HashMap<>();

    RestoreTargets(List<RestoredTable> tables) {
        for (RestoredTable each : tables) {
            scopes.put(
                    scope(each.getAccountId(), each.getTableId()),
                    scope(each.getNewAccountId(), each.getNewTableId()));
        }
    }

    private static Key scope(long accountId, long tableId) {
        return KeyCodec.scope(
                new Scope(KeySpace.ENTITY, new AccountId(accountId), new ObjectId(tableId)));
    }

    /** Returns whether rows of an interval may belong to one of the tables. */
    boolean overlaps(KeyRange keys) {
        return scopes.keySet().stream().anyMatch(scope -> KeyRange.ofPrefix(scope).overlaps(keys));
    }

    /** Returns the key in the cluster; empty if it belongs to no restored table. */
    Optional<Key> target(Key key) {
        if (key.length() < Scope.LENGTH_BYTES) {
            return Optional.empty();
        }
        byte[] bytes = key.unsafeBytes();
        return Optional.ofNullable(scopes.get(key.prefix(Scope.LENGTH_BYTES)))
                .map(
                        scope ->
                                scope.append(
                                        Arrays.copyOfRange(
                                                bytes, Scope.LENGTH_BYTES, bytes.length)));
    }
}
