package io.parterre.manager.map;

import java.util.Map;
import org.pcollections.TreePMap;

/**
 * What the planners aim at, as text by key. Only the planners know the keys and their allowed
 * values, which may differ from release to release. Immutable.
 *
 * @param version grows by one with each change; 0 if none was ever set
 */
public record PolicyValues(long version, TreePMap<String, String> values) {
    /** Upper bound of keys in one change. */
    static final int COUNT_MAX = 200;

    /** Upper bound of characters of a key, a value, or an author. */
    public static final int LENGTH_MAX = 200;

    static final PolicyValues NONE = new PolicyValues(0, TreePMap.empty());

    PolicyValues with(Map<String, String> changes) {
        return new PolicyValues(version + 1, values.plusAll(changes));
    }
}
