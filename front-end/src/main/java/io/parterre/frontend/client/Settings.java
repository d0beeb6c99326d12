package io.parterre.frontend.client;

import static io.parterre.frontend.client.KeyMessages.bytes;

import io.parterre.directory.AccessPolicy;
import io.parterre.directory.AccessPolicyCodec;
import io.parterre.directory.ServiceProperties;
import io.parterre.directory.ServicePropertiesCodec;
import io.parterre.frontend.client.TableCache.Name;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.Outcome;
import io.parterre.proto.range.SetServiceProperties;
import io.parterre.proto.range.SetTablePolicies;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Reads and writes what the owner of an account has set: access policies of tables and properties
 * of the table service. Thread-safe.
 */
record Settings(RangeCalls calls, Commands commands, Tables tables) {
    private static final String SERVICE = "table";

    CompletableFuture<Void> setPolicies(Name name, List<AccessPolicy> policies, Deadline deadline) {
        Key key = Tables.directoryKey(name);
        SetTablePolicies set =
                SetTablePolicies.newBuilder()
                        .setKey(bytes(key))
                        .setPolicies(AccessPolicyCodec.toProto(policies))
                        .build();
        return send(key, Command.newBuilder().setSetTablePolicies(set), deadline)
                .thenCompose(outcome -> settle(name, outcome, deadline));
    }

    /** Drops the cached table, which is out of date, so that the next reader sees the change. */
    private CompletableFuture<Void> settle(Name name, Outcome outcome, Deadline deadline) {
        if (!outcome.hasTableChanged()) {
            throw TableChanges.refusal(TableChanges.rejected(outcome));
        }
        tables.deleted(name);
        // A read that began before the change may end only now. A read that begins now replaces its
        // result.
        return tables.read(calls, name, deadline).handle((table, unread) -> null);
    }

    static CompletableFuture<ServiceProperties> properties(
            RangeReads reads, AccountId accountId, Deadline deadline) {
        Key key = propertiesKey(accountId);
        return reads.read(key, deadline, KeyMessages.readRow(key))
                .thenApply(
                        answer ->
                                answer.response().getRow().hasValue()
                                        ? ServicePropertiesCodec.decode(
                                                answer.response().getRow().getValue().toByteArray())
                                        : ServiceProperties.DEFAULT);
    }

    CompletableFuture<Void> setProperties(
            AccountId accountId, ServiceProperties.Change change, Deadline deadline) {
        Key key = propertiesKey(accountId);
        SetServiceProperties set =
                SetServiceProperties.newBuilder()
                        .setKey(bytes(key))
                        .setChange(ServicePropertiesCodec.toProto(change))
                        .build();
        return send(key, Command.newBuilder().setSetServiceProperties(set), deadline)
                .thenAccept(
                        outcome -> {
                            if (!outcome.hasPropertiesChanged()) {
                                throw TableChanges.refusal(TableChanges.rejected(outcome));
                            }
                        });
    }

    private CompletableFuture<Outcome> send(Key key, Command.Builder command, Deadline deadline) {
        return commands.send(key, deadline, command).thenApply(Commands.Done::outcome);
    }

    private static Key propertiesKey(AccountId accountId) {
        return KeyCodec.servicePropertiesRow(accountId, SERVICE);
    }
}
