package io.parterre.server.apply;

import io.parterre.key.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** A range's rows in memory: takes mutations as the store does. */
final class MapView implements StateView, Mutation.Cases<Void> {
    final NavigableMap<Key, byte[]> rows = new TreeMap<>();
    final Map<OwnKey, byte[]> own = new java.util.LinkedHashMap<>();

    private Optional<HostedRange> range = Optional.empty();

    @Override
    public Optional<byte[]> get(Key key) {
        return Optional.ofNullable(rows.get(key));
    }

    void take(List<Mutation> mutations) {
        mutations.forEach(each -> each.match(this));
    }

    List<OwnRow> ownRows() {
        List<OwnRow> all = new ArrayList<>();
        own.forEach((key, value) -> all.add(new OwnRow(key, value)));
        return all;
    }

    /** Ranges that were cut off. */
    final List<Mutation.PutChild> children = new ArrayList<>();

    /** What a command has made of the range, if any has. */
    Optional<HostedRange> range() {
        return range;
    }

    long count(OwnKey.Kind kind) {
        return own.keySet().stream().filter(key -> key.kind() == kind).count();
    }

    /** Everything, in a form that compares. */
    Map<String, String> dump() {
        Map<String, String> all = new TreeMap<>();
        rows.forEach(
                (key, value) -> all.put("row " + key, java.util.HexFormat.of().formatHex(value)));
        own.forEach(
                (key, value) -> all.put("own " + key, java.util.HexFormat.of().formatHex(value)));
        return all;
    }

    @Override
    public Void put(Mutation.Put put) {
        rows.put(put.key(), put.value());
        return null;
    }

    @Override
    public Void putLater(Mutation.PutLater put) {
        return put(put.now());
    }

    @Override
    public Void delete(Mutation.Delete delete) {
        rows.remove(delete.key());
        return null;
    }

    @Override
    public Void deleteRange(Mutation.DeleteRange delete) {
        rows.subMap(delete.range().start(), delete.range().endExclusive()).clear();
        return null;
    }

    @Override
    public Void putOwn(Mutation.PutOwn put) {
        own.put(put.key(), put.value());
        return null;
    }

    @Override
    public Void deleteOwn(Mutation.DeleteOwn delete) {
        own.remove(delete.key());
        return null;
    }

    @Override
    public Void putRange(Mutation.PutRange put) {
        range = Optional.of(put.range());
        return null;
    }

    /** Ranges that were absorbed. */
    final List<HostedRange> takenIn = new ArrayList<>();

    @Override
    public Void absorbNeighbour(Mutation.AbsorbNeighbour taken) {
        takenIn.add(taken.range());
        return null;
    }

    @Override
    public Void putChild(Mutation.PutChild put) {
        children.add(put);
        return null;
    }
}
