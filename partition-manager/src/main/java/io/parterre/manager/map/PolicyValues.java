package io.parterre.manager.map;

import java.util.Map;
import org.pcollections.TreePMap;

/**
 * What the planners aim at, as text by key: what the keys are and what they may be is known to
 * those who plan, and may differ from release to release.
 *
 * @param version grows by one with each change; 0: none was ever set
 */
public record PolicyValues(long version, TreePMap<String, String> values) {
    /** Keys in one change. */
    static final int COUNT_MAX = 200;

    /** Characters of a key, of a value, or of who sets it. */
    public static final int LENGTH_MAX = 200;

    static final PolicyValues NONE = new PolicyValues(0, TreePMap.empty());

    PolicyValues with(Map<String, String> changes) {
        return new PolicyValues(version + 1, values.plusAll(changes));
    }
}
