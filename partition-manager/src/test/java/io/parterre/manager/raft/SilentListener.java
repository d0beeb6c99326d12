package io.parterre.manager.raft;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapDelta;
import java.util.List;

/** Ignores what a group tells; a test overrides what it waits for. */
class SilentListener implements MapListener {
    @Override
    public void replaced(ClusterMap map) {}

    @Override
    public void changed(MapDelta delta) {}

    @Override
    public void members(List<ClusterManager> members) {}

    @Override
    public void leading() {}

    @Override
    public void following() {}
}
