package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapDelta;
import io.parterre.manager.raft.MapListener;
import io.parterre.release.FeatureLevel;
import io.parterre.release.LevelKeeper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Takes what the Raft group tells and passes on only that something happened: the loop then looks
 * for itself. So a group that replays a long log fills no queue, and events before the loop exists
 * are not lost.
 */
public final class GroupEvents implements MapListener {
    private final DeltaLog deltas;

    /** Odd while this manager leads; grows with each change of that. */
    private long leadEpoch;

    private Runnable onEvent = () -> {};
    private volatile Consumer<List<ClusterManager>> onMembers = members -> {};
    private volatile LevelKeeper levelKeeper = level -> {};

    public GroupEvents(DeltaLog deltas) {
        this.deltas = deltas;
    }

    DeltaLog deltas() {
        return deltas;
    }

    /** Calls this after each event from here on, and once now. */
    void attach(Runnable listener) {
        synchronized (this) {
            onEvent = listener;
        }
        listener.run();
    }

    /** Has the members told to this; for once, before the group begins. */
    public void onMembers(Consumer<List<ClusterManager>> listener) {
        onMembers = listener;
    }

    /** Has the level kept by this; for once, before the group begins. */
    public void keepLevelBy(LevelKeeper keeper) {
        levelKeeper = keeper;
    }

    @Override
    public void raised(FeatureLevel level) {
        try {
            levelKeeper.keep(level);
        } catch (IOException failure) {
            throw new UncheckedIOException("feature level " + level + " not kept", failure);
        }
    }

    @Override
    public void members(List<ClusterManager> members) {
        onMembers.accept(members);
        happened();
    }

    synchronized long leadEpoch() {
        return leadEpoch;
    }

    static boolean leads(long epoch) {
        return (epoch & 1) == 1;
    }

    @Override
    public void replaced(ClusterMap map) {
        deltas.reset(map.version());
        happened();
    }

    @Override
    public void changed(MapDelta delta) {
        deltas.append(delta);
        happened();
    }

    @Override
    public void leading() {
        setLeading(true);
    }

    @Override
    public void following() {
        setLeading(false);
    }

    private void setLeading(boolean leading) {
        synchronized (this) {
            if (leads(leadEpoch) != leading) {
                leadEpoch++;
            }
        }
        happened();
    }

    private void happened() {
        Runnable listener;
        synchronized (this) {
            listener = onEvent;
        }
        listener.run();
    }
}
