package io.parterre.server.apply;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a log entry has changed so far, laid over the stored rows: later commands of the entry see
 * the effects of earlier ones. Not thread-safe; one per entry.
 */
final class Changes implements StateView {
    private final StateView stored;
    private final Map<Key, Optional<byte[]>> latest = new HashMap<>();
    private final List<KeyRange> emptied = new ArrayList<>();
    private final List<Mutation> mutations = new ArrayList<>();

    Changes(StateView stored) {
        this.stored = stored;
    }

    @Override
    public Optional<byte[]> get(Key key) {
        Optional<byte[]> changed = latest.get(key);
        if (changed != null) {
            return changed;
        }
        for (KeyRange range : emptied) {
            if (range.contains(key)) {
                return Optional.empty();
            }
        }
        return stored.get(key);
    }

    void put(Key key, byte[] value) {
        latest.put(key, Optional.of(value));
        mutations.add(new Mutation.Put(key, value));
    }

    void delete(Key key) {
        latest.put(key, Optional.empty());
        mutations.add(new Mutation.Delete(key));
    }

    void deleteRange(KeyRange range) {
        latest.keySet().removeIf(range::contains);
        emptied.add(range);
        mutations.add(new Mutation.DeleteRange(range));
    }

    void putOwn(OwnKey key, byte[] value) {
        mutations.add(new Mutation.PutOwn(key, value));
    }

    void putOwn(OwnRow row) {
        putOwn(row.key(), row.value());
    }

    void deleteOwn(OwnKey key) {
        mutations.add(new Mutation.DeleteOwn(key));
    }

    void putRange(HostedRange range) {
        mutations.add(new Mutation.PutRange(range));
    }

    void putChild(HostedRange range, List<OwnRow> own) {
        mutations.add(new Mutation.PutChild(range, own));
    }

    void takeIn(HostedRange range) {
        mutations.add(new Mutation.TakeIn(range));
    }

    List<Mutation> mutations() {
        return mutations;
    }
}
