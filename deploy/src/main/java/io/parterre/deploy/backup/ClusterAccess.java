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
import io.parterre.proto.admin.Liveness;
import io.parterre.proto.admin.NodeStatus;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Asks a cluster's managers for a backup, and connects to the nodes that lead ranges. Thread-safe;
 * calls block.
 */
public final class ClusterAccess implements AutoCloseable {
    private final ManagerAccess managers;
    private final Transport transport;
    private final Map<String, Reached> channels = new HashMap<>();
    private final TreeMap<Key, RangeStatus> known = new TreeMap<>();

    /**
     * Creates access through managers.
     *
     * @param transport closed by the caller
     */
    public ClusterAccess(ManagerAccess managers, Transport transport) {
        this.managers = managers;
        this.transport = transport;
    }

    synchronized String clusterId() {
        return managers.ask(stub -> stub.getStatus(GetStatusRequest.getDefaultInstance()))
                .getClusterId();
    }

    /** Returns the ids of accounts by their names. */
    synchronized Map<String, AccountId> accounts() {
        Map<String, AccountId> accounts = new TreeMap<>();
        for (Account each :
                managers.ask(stub -> stub.listAccounts(ListAccountsRequest.getDefaultInstance()))
                        .getAccountsList()) {
            accounts.put(each.getName(), new AccountId(each.getAccountId()));
        }
        return accounts;
    }

    /** Returns an id that no table ever had. */
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

    /** Returns all ranges, together the whole key space, in key order. */
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
                // The map may have changed between two pages; it only matters that no key is
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

    /** Returns the ids of all ranges. */
    synchronized Set<Long> rangeIds() {
        Set<Long> ids = new HashSet<>();
        ByteString start = ByteString.EMPTY;
        do {
            ByteString from = start;
            ListRangesResponse page =
                    managers.ask(
                            stub ->
                                    stub.listRanges(
                                            ListRangesRequest.newBuilder().setStart(from).build()));
            page.getRangesList().forEach(each -> ids.add(each.getRange().getRangeId()));
            start = page.getNextStart();
        } while (!start.isEmpty());
        return ids;
    }

    /**
     * A server that may have records of changes.
     *
     * @param channel channel to its services
     * @param live whether the managers have recently heard from it
     */
    record Server(String nodeId, ManagedChannel channel, boolean live) {}

    /** Returns all servers whose address the managers know, dead or not. */
    synchronized List<Server> servers() {
        List<Server> servers = new ArrayList<>();
        for (NodeStatus each :
                managers.ask(stub -> stub.listNodes(ListNodesRequest.getDefaultInstance()))
                        .getNodesList()) {
            String nodeId = each.getNode().getNodeId();
            String address = each.getNode().getServiceAddress();
            if (!address.isEmpty()) {
                servers.add(
                        new Server(
                                nodeId,
                                channel(nodeId, address),
                                each.getLiveness() != Liveness.DEAD));
            }
        }
        return servers;
    }

    /** Returns the range that holds a key, and its leader; empty if no leader is known. */
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

    /** Drops what is known of the range that holds the key, because it was wrong. */
    private synchronized void forget(Key key) {
        Map.Entry<Key, RangeStatus> entry = known.floorEntry(key);
        if (entry != null) {
            known.remove(entry.getKey());
        }
    }

    /** An operation at the leader of a range. */
    @FunctionalInterface
    interface Call<T> {
        /** Returns the result; empty if the operation must be retried. */
        Optional<T> on(Located leader) throws IOException;
    }

    /**
     * Asks the leader of the range that holds a key. After a failure range and leader are looked up
     * again.
     *
     * @return empty if no leader is known, or the call has no result
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

    /**
     * Drops the channel, because the node may have another address by now. Calls in flight
     * continue.
     */
    private synchronized void forget(Located leader) {
        Reached known = channels.get(leader.nodeId());
        if (known != null && known.channel() == leader.channel()) {
            channels.remove(leader.nodeId());
            leader.channel().shutdown();
        }
    }

    private Optional<ManagedChannel> channel(String nodeId) {
        return Optional.ofNullable(channels.get(nodeId))
                .map(Reached::channel)
                .or(() -> address(nodeId).map(address -> channel(nodeId, address)));
    }

    /** Returns the channel, a new one if the node has another address by now. */
    private ManagedChannel channel(String nodeId, String address) {
        Reached known = channels.get(nodeId);
        if (known != null && known.address().equals(address)) {
            return known.channel();
        }
        ManagedChannel channel =
                transport.connect(HostPort.parse(address), PeerName.of(PeerRole.SERVER, nodeId));
        channels.put(nodeId, new Reached(address, channel));
        if (known != null) {
            known.channel().shutdown();
        }
        return channel;
    }

    private record Reached(String address, ManagedChannel channel) {}

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
        channels.values().forEach(each -> each.channel().shutdownNow());
    }
}
