package io.parterre.manager.rpc;

import com.google.protobuf.MessageLite;
import io.parterre.proto.manager.Account;
import io.parterre.proto.manager.LeaderHint;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.manager.Node;
import io.parterre.proto.range.Descriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;

/** Divides one update into several small messages. Not thread-safe. */
final class MapUpdateParts {
    /** A quarter of gRPC's default limit. */
    static final int PART_BYTES_MAX = 1 << 20;

    /** Length and tag of one value within the message. */
    private static final int FRAME_BYTES = 6;

    private final List<MapUpdate> full = new ArrayList<>();
    private final MapUpdate base;
    private MapUpdate.Builder part;
    private int partBytes;

    /**
     * Begins an update.
     *
     * @param first content of the first part so far
     * @param base content that each further part begins with
     */
    MapUpdateParts(MapUpdate.Builder first, MapUpdate base) {
        this.part = first.setMore(false);
        this.base = base;
        this.partBytes = first.build().getSerializedSize();
    }

    private MapUpdate.Builder room(int bytes) {
        if (partBytes + bytes + FRAME_BYTES > PART_BYTES_MAX) {
            full.add(part.setMore(true).build());
            part = base.toBuilder();
            partBytes = 0;
        }
        partBytes += bytes + FRAME_BYTES;
        return part;
    }

    private MapUpdate.Builder room(MessageLite thing) {
        return room(thing.getSerializedSize());
    }

    void add(Descriptor range) {
        room(range).addRanges(range);
    }

    void addRemoved(RangeId rangeId) {
        room(Long.BYTES + 2).addRemovedRanges(rangeId.value());
    }

    void add(Node node) {
        room(node).addNodes(node);
    }

    void add(Account account) {
        room(account).addAccounts(account);
    }

    void add(LeaderHint leader) {
        room(leader).addLeaders(leader);
    }

    /** Returns all parts. Each but the last says that more follow. */
    List<MapUpdate> build() {
        List<MapUpdate> parts = new ArrayList<>(full);
        parts.add(part.build());
        return parts;
    }
}
