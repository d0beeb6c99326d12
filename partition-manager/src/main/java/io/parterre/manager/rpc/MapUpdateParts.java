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

/** One update in as many messages as keep each of them small. For one thread. */
final class MapUpdateParts {
    /** A quarter of what gRPC takes if nobody says otherwise. */
    static final int PART_BYTES_MAX = 1 << 20;

    /** Length and tag of a thing within the message. */
    private static final int FRAME_BYTES = 6;

    private final List<MapUpdate> full = new ArrayList<>();
    private final MapUpdate base;
    private MapUpdate.Builder part;
    private int partBytes;

    /**
     * An update.
     *
     * @param first what its first part says already
     * @param base what each further part says
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

    /** All parts; each but the last says that more follows. */
    List<MapUpdate> build() {
        List<MapUpdate> parts = new ArrayList<>(full);
        parts.add(part.build());
        return parts;
    }
}
