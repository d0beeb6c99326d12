package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.network.Transport;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.ListAccountsRequest;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.ListRangesRequest;
import io.parterre.proto.admin.ListRangesResponse;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.manager.Account;
import io.parterre.proto.manager.LeaseObjectIdsRequest;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.RangeDescriptor;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a backup asks of a cluster's managers, and the ways to the nodes that lead ranges. Safe for
 * any thread; the caller's thread waits.
 */
public final class ClusterAccess implements AutoCloseable {
    private final ManagerAccess managers;
    private final Transport transport;
    private final Map<String, ManagedChannel> channels = new HashMap<>();
    private final TreeMap<Key, RangeStatus> known = new TreeMap<>();

    /**
     * Access through managers.
     *
     * @param transport stays the caller's
     */
    public ClusterAccess(ManagerAccess managers, Transport transport) {
        this.managers = managers;
        this.transport = transport;
    }

    synchronized String clusterId() {
        return managers.ask(stub -> stub.getStatus(GetStatusRequest.getDefaultInstance()))
                .getClusterId();
    }

    /** Ids of accounts by their names. */
    synchronized Map<String, AccountId> accounts() {
        Map<String, AccountId> accounts = new TreeMap<>();
        for (Account each :
                managers.ask(stub -> stub.listAccounts(ListAccountsRequest.getDefaultInstance()))
                        .getAccountsList()) {
            accounts.put(each.getName(), new AccountId(each.getAccountId()));
        }
        return accounts;
    }

    /** An id that no table ever had. */
    synchronized ObjectId newTableId() {
        return new ObjectId(
                managers.ask(
                                stub ->
                                        ManagerServiceGrpc.newBlockingStub(stub.getChannel())
                                                .withDeadline(stub.getCallOptions().getDeadline())
                                                .leaseObjectIds(
                                                        LeaseObjectIdsRequest.newBuilder()
                                                                .setCount(1)
                                                                .build()))
                        .getFirst());
    }

    /** All ranges, together the whole key space, in key order. */
    synchronized List<KeyRange> ranges() throws BackupException {
        List<KeyRange> ranges = new ArrayList<>();
        ByteString start = ByteString.EMPTY;
        Key end = Key.FIRST;
        do {
            ByteString from = start;
            ListRangesResponse page =
                    managers.ask(
                            stub ->
                                    stub.listRanges(
                                            ListRangesRequest.newBuilder().setStart(from).build()));
            for (RangeStatus each : page.getRangesList()) {
                KeyRange bounds = DescriptorCodec.fromProto(each.getRange()).bounds();
                // The map may have changed between two pages: what counts is that no key is
                // missing.
                if (bounds.endExclusive().compareTo(end) > 0) {
                    ranges.add(new KeyRange(end, bounds.endExclusive()));
                    end = bounds.endExclusive();
                }
            }
            start = page.getNextStart();
        } while (!start.isEmpty());
        if (!end.equals(Key.LAST)) {
            throw BackupException.refused("the cluster has no ranges yet");
        }
        return ranges;
    }

    /** The range that holds a key, and its leader; empty: nobody is known to lead it. */
    private synchronized Optional<Located> locate(Key key) {
        RangeStatus status = knownOf(key).orElseGet(() -> asked(key));
        if (status.getLeader().isEmpty()) {
            forget(key);
            return Optional.empty();
        }
        RangeDescriptor range = DescriptorCodec.fromProto(status.getRange());
        return channel(status.getLeader())
                .map(channel -> new Located(range, status.getLeader(), channel));
    }

    private Optional<RangeStatus> knownOf(Key key) {
        return Optional.ofNullable(known.floorEntry(key))
                .map(Map.Entry::getValue)
                .filter(
                        status ->
                                DescriptorCodec.fromProto(status.getRange())
                                        .bounds()
                                        .contains(key));
    }

    private RangeStatus asked(Key key) {
        RangeStatus status =
                managers.ask(
                                stub ->
                                        stub.listRanges(
                                                ListRangesRequest.newBuilder()
                                                        .setStart(
                                                                ByteString.copyFrom(
                                                                        key.unsafeBytes()))
                                                        .setCountMax(1)
                                                        .build()))
                        .getRanges(0);
        known.put(Key.copyOf(status.getRange().getStart().toByteArray()), status);
        return status;
    }

    /** What is known of the range that holds the key was wrong. */
    private synchronized void forget(Key key) {
        Map.Entry<Key, RangeStatus> entry = known.floorEntry(key);
        if (entry != null) {
            known.remove(entry.getKey());
        }
    }

    /** Work with the leader of a range. */
    @FunctionalInterface
    interface Call<T> {
        /** Its result; empty: to be tried again. */
        Optional<T> on(Located leader) throws IOException;
    }

    /**
     * Asks the leader of the range that holds a key. After a failure both are looked up again.
     *
     * @return empty: nobody is known to lead it, or the call has no result
     */
    <T> Optional<T> ask(Key key, Call<T> call) throws IOException {
        Optional<Located> leader = locate(key);
        if (leader.isEmpty()) {
            return Optional.empty();
        }
        boolean answered = false;
        try {
            Optional<T> result = call.on(leader.get());
            answered = true;
            return result;
        } catch (StatusRuntimeException failure) {
            if (failure.getStatus().getCode() == Status.Code.UNAVAILABLE) {
                forget(leader.get());
            }
            throw failure;
        } finally {
            if (!answered) {
                forget(key);
            }
        }
    }

    /** The node may be under another address by now; calls under way are left. */
    private synchronized void forget(Located leader) {
        if (channels.remove(leader.nodeId(), leader.channel())) {
            leader.channel().shutdown();
        }
    }

    private Optional<ManagedChannel> channel(String nodeId) {
        return Optional.ofNullable(
                channels.computeIfAbsent(
                        nodeId,
                        each ->
                                address(each)
                                        .map(
                                                address ->
                                                        transport.connect(
                                                                HostPort.parse(address),
                                                                PeerName.of(PeerRole.SERVER, each)))
                                        .orElse(null)));
    }

    private Optional<String> address(String nodeId) {
        return managers
                .ask(
                        stub ->
                                stub.listNodes(
                                        ListNodesRequest.newBuilder().setNodeId(nodeId).build()))
                .getNodesList()
                .stream()
                .filter(each -> each.getNode().getNodeId().equals(nodeId))
                .map(each -> each.getNode().getServiceAddress())
                .filter(address -> !address.isEmpty())
                .findFirst();
    }

    @Override
    public synchronized void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }
}
