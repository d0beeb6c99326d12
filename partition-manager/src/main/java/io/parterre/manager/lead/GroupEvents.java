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
 * Receives the events of the Raft group and signals only that something happened. The loop then
 * reads the state itself. So a group that replays a long log fills no queue, and events before the
 * loop exists are not lost. Thread-safe.
 */
public final class GroupEvents implements MapListener {
    private final DeltaLog deltas;

    /** Odd while this manager leads. Grows with each gain and each loss of leadership. */
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

    /** Calls the listener once now and after each later event. */
    void attach(Runnable listener) {
        synchronized (this) {
            onEvent = listener;
        }
        listener.run();
    }

    /** Sets the listener of the group's members. To be called once, before the group begins. */
    public void onMembers(Consumer<List<ClusterManager>> listener) {
        onMembers = listener;
    }

    /** Sets the keeper of the feature level. To be called once, before the group begins. */
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
